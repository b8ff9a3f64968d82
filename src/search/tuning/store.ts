import { LRUCache } from 'lru-cache'
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
import type { Context, Services } from '../../operation.ts'
import { type Admission, createAdmission } from '../../platform/admission.ts'
import { defined } from '../../platform/defined.ts'
import { inSteps } from '../../platform/in-steps.ts'
import { loadOwner } from '../../platform/load-owner.ts'
import { memoizeWeak } from '../../platform/memoize-weak.ts'
import { parseInSteps } from '../../platform/parse-in-steps.ts'
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
  return (await preparedSettings(ctx.elastic, scope, ctx.signal)).settings
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
  const { data, error } = await parseInSteps(SearchSettings, stored)
  if (error) throw error
  return data
}

/** The settings with changed parts. Throws Invalid, and Conflict for a changed running variant. */
export async function withChange(
  settings: SearchSettings,
  change: SearchSettingsChange,
): Promise<SearchSettings> {
  const next: SearchSettings = { ...settings, ...defined(change) }
  await inSteps(checkSettings(next))
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

/** Bytes of memory for a byte of JSON, measured on the largest settings. */
const MEMORY_OF_JSON = 11
/** Bytes of memory for the settings kept prepared. */
const PREPARED_BYTES = 96 * 1024 * 1024

const preparedOf = memoizeWeak<Elastic, LRUCache<string, Prepared>>(
  () => new LRUCache({ maxSize: PREPARED_BYTES }),
)

/** The prepared settings of a catalog, at most `limits.searchSettingsMs` old. */
export async function tuningFor(services: Services, scope: CatalogScope): Promise<Tuning> {
  const load = async () => (await preparedSettings(services.elastic, scope)).tuning
  const options = { freshMs: limits.searchSettingsMs }
  return (await services.cache.get('search settings', cacheId(scope), load, options))!
}

/** Reads the settings only if they changed since they were prepared. */
async function preparedSettings(
  elastic: Elastic,
  scope: CatalogScope,
  signal?: AbortSignal,
): Promise<Prepared> {
  const options = defined({ signal })
  const head = await settingsOf(elastic, scope).get(ID, { source: ['scope'], ...options })
  if (!head) return NOTHING_SAVED
  const known = preparedAs(elastic, scope, head)
  return known ?? turnsOf(elastic).run(scope.owner, () => prepare(elastic, scope), options)
}

function preparedAs(elastic: Elastic, scope: CatalogScope, found: Version) {
  const known = preparedOf(elastic).get(cacheId(scope))
  return known?.version === versionOf(found) ? known : undefined
}

async function prepare(elastic: Elastic, scope: CatalogScope): Promise<Prepared> {
  const found = await settingsOf(elastic, scope).get(ID)
  if (!found) return NOTHING_SAVED
  // Others may have prepared it since.
  const known = preparedAs(elastic, scope, found)
  if (known) return known
  const settings = await settingsIn(found.source.settings)
  const tuning = await inSteps(tuningOf(settings))
  const prepared = { version: versionOf(found), settings, tuning }
  const size = JSON.stringify(settings).length * (settings.experiment ? 2 : 1) * MEMORY_OF_JSON
  preparedOf(elastic).set(cacheId(scope), prepared, { size })
  return prepared
}

const versionOf = ({ seqNo, primaryTerm }: Version): string => `${primaryTerm}/${seqNo}`
