import {
  type CatalogScope,
  SEARCH_SETTINGS as ID,
  searchSettingsPlaceOf,
} from '../../catalogs/store.ts'
import { changeDocument } from '../../elastic/change-document.ts'
import type { Elastic } from '../../elastic/client.ts'
import { type Collection, collection, type Version } from '../../elastic/collection.ts'
import { PreconditionFailed } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Context } from '../../operation.ts'
import { type Admission, createAdmission } from '../../platform/admission.ts'
import { defined } from '../../platform/defined.ts'
import { createFairCache, type FairCache } from '../../platform/fair-cache.ts'
import { loadOwner, rootOf } from '../../platform/load-owner.ts'
import { memoizeWeak } from '../../platform/memoize-weak.ts'
import { inPacedSteps } from '../../platform/pacing.ts'
import { parsePaced } from '../../platform/parse-in-steps.ts'
import { createSharedWork, type SharedWork } from '../../platform/shared-work.ts'
import { token } from '../../text.ts'
import { fingerprint } from '../fingerprint.ts'
import { checkSameVariant, checkSettings } from './checks.ts'
import { DEFAULT_SETTINGS, SearchSettings, type SearchSettingsChange } from './settings.ts'
import { NO_TUNING, type Tuning, tuningOf } from './tuning.ts'

/** The document with all search settings of a catalog. */
interface SettingsDocument {
  readonly settings: SearchSettings
}

const settingsOf = (elastic: Elastic, scope: CatalogScope): Collection<SettingsDocument> =>
  collection<SettingsDocument>(elastic, searchSettingsPlaceOf(scope))

const cacheId = ({ owner, name }: CatalogScope): string => token(owner, name)

/** Processes whole settings one after another, taking turns between organizations. */
const turnsOf = memoizeWeak<Elastic, Admission>(() =>
  createAdmission({ capacity: 1, waiting: Infinity, pauses: true, what: 'search settings' }),
)

/** Waits for a turn to process settings, which may be long however small the request is. */
export const inSettingsTurn = <T>(
  { elastic, organization, signal }: Pick<Context, 'elastic' | 'organization' | 'signal'>,
  work: () => T | Promise<T>,
): Promise<T> => turnsOf(elastic).run(loadOwner(organization), async () => work(), { signal })

/** The settings of a catalog, with defaults for unset parts. */
export async function readSettings(ctx: Context, scope: CatalogScope): Promise<SearchSettings> {
  return (await preparedSettings(ctx, scope)).settings
}

/** Version of settings. Equal settings have the same version, whatever their history. */
export const settingsVersion = (settings: SearchSettings): string => fingerprint(settings)

/** Throws PreconditionFailed if the settings were changed since they were read. */
function checkVersion(settings: SearchSettings, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch === settingsVersion(settings)) return
  throw new PreconditionFailed('The search settings have changed. Read them again.')
}

/**
 * Replaces the parts that `change` returns. Throws Invalid, Conflict, PreconditionFailed if
 * `ifMatch` names another version, and whatever `change` throws.
 */
export async function changeSettings(
  ctx: Context,
  scope: CatalogScope,
  change: (settings: SearchSettings) => SearchSettingsChange,
  { ifMatch }: { readonly ifMatch?: string | undefined } = {},
): Promise<void> {
  const changed = (found: SettingsDocument | undefined) => inSettingsTurn(ctx, () => after(found))
  const after = async (found: SettingsDocument | undefined) => {
    const settings = await settingsIn(found?.settings ?? {})
    checkVersion(settings, ifMatch)
    const next = await withChange(settings, change(settings))
    ctx.noteChange?.({ owner: scope.owner, before: settings, after: next })
    return { settings: next }
  }
  await changeDocument(settingsOf(ctx.elastic, scope), ID, changed, { signal: ctx.signal })
  ctx.cache.drop('search settings', cacheId(scope))
}

/** Settings as stored, with defaults for parts that were added since. */
async function settingsIn(stored: unknown): Promise<SearchSettings> {
  const { data, error } = await parsePaced(SearchSettings, stored)
  if (error) throw error
  return data
}

/** The settings with changed parts. Throws Invalid, and Conflict for a changed running variant. */
export async function withChange(
  settings: SearchSettings,
  change: SearchSettingsChange,
): Promise<SearchSettings> {
  const next: SearchSettings = { ...settings, ...defined(change) }
  await inPacedSteps(checkSettings(next))
  checkSameVariant(settings.experiment, next.experiment)
  return next
}

interface Prepared {
  /** Version of the document from which it was prepared. */
  readonly version: string
  readonly settings: SearchSettings
  readonly tuning: Tuning
}

const NOTHING_SAVED: Prepared = { version: '', settings: DEFAULT_SETTINGS, tuning: NO_TUNING }

/** Bytes of memory for a character of JSON, measured on the worst shape: many short words. */
const MEMORY_OF_JSON = 17
/** Bytes of memory for the settings kept prepared. */
const PREPARED_BYTES = 96 * 1024 * 1024
/** Milliseconds for which settings that no request uses are kept prepared. */
const UNUSED_MS = 10 * 60 * 1000

const preparedOf = memoizeWeak<Elastic, FairCache<Prepared>>(() =>
  createFairCache({ most: PREPARED_BYTES, share: PREPARED_BYTES / 4, unusedMs: UNUSED_MS }),
)

const underWayOf = memoizeWeak<Elastic, SharedWork<Prepared>>(() => createSharedWork())

/** The prepared settings of a catalog, at most `limits.searchSettingsMs` old. */
export async function tuningFor(ctx: SettingsContext, scope: CatalogScope): Promise<Tuning> {
  // Prepared settings are large, so only their version is cached here.
  const load = () => storedVersion(ctx, scope, {})
  const options = { freshMs: limits.searchSettingsMs, signal: ctx.signal }
  const version = await ctx.cache.get('search settings', cacheId(scope), load, options)
  const known = preparedAs(ctx.elastic, scope, version!)
  // On a miss, somebody may have changed them since, and prepared them already.
  return (known ?? (await preparedSettings(ctx, scope))).tuning
}

type SettingsContext = Pick<Context, 'elastic' | 'cache' | 'organization' | 'signal'>

/** The version of the stored settings; '' if there are none. */
async function storedVersion(
  { elastic }: Pick<Context, 'elastic'>,
  scope: CatalogScope,
  { signal }: Partial<Pick<Context, 'signal'>>,
): Promise<string> {
  const options = defined({ signal })
  const head = await settingsOf(elastic, scope).get(ID, { source: ['scope'], ...options })
  return head ? versionOf(head) : ''
}

/** Reads the settings only if they changed since they were prepared. */
async function preparedSettings(
  ctx: Omit<SettingsContext, 'cache'>,
  scope: CatalogScope,
): Promise<Prepared> {
  const { elastic } = ctx
  const version = await storedVersion(ctx, scope, ctx)
  const known = preparedAs(elastic, scope, version)
  if (known) return known
  // All who need them wait together. Once it is their turn, they are prepared in any case.
  return underWayOf(elastic).run(token(cacheId(scope), version), ctx.signal, (signal) =>
    inSettingsTurn({ ...ctx, signal }, () => prepare(ctx, scope)),
  )
}

function preparedAs(elastic: Elastic, scope: CatalogScope, version: string) {
  if (version === '') return NOTHING_SAVED
  const known = preparedOf(elastic).get(cacheId(scope))
  return known?.version === version ? known : undefined
}

async function prepare(
  { elastic, organization }: Pick<Context, 'elastic' | 'organization'>,
  scope: CatalogScope,
): Promise<Prepared> {
  const found = await settingsOf(elastic, scope).get(ID)
  if (!found) return NOTHING_SAVED
  const version = versionOf(found)
  // Others may have prepared it since.
  const known = preparedAs(elastic, scope, version)
  if (known) return known
  const settings = await settingsIn(found.source.settings)
  const tuning = await inPacedSteps(tuningOf(settings))
  const prepared = { version, settings, tuning }
  const size = JSON.stringify(settings).length * (settings.experiment ? 2 : 1) * MEMORY_OF_JSON
  const entry = { value: prepared, owner: rootOf(organization), size }
  preparedOf(elastic).set(cacheId(scope), entry)
  return prepared
}

const versionOf = ({ seqNo, primaryTerm }: Version): string => `${primaryTerm}/${seqNo}`
