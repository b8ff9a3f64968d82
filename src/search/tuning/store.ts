import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import {
  type CatalogScope,
  SEARCH_SETTINGS as ID,
  searchSettingsPlaceOf,
} from '../../catalogs/store.ts'
import { changeDocument } from '../../elastic/change-document.ts'
import type { Elastic } from '../../elastic/client.ts'
import { type Collection, collection } from '../../elastic/collection.ts'
import { PreconditionFailed } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Context, Services } from '../../operation.ts'
import { type Admission, createAdmission } from '../../platform/admission.ts'
import { inSteps } from '../../platform/in-steps.ts'
import { loadOwner } from '../../platform/load-owner.ts'
import { memoizeWeak } from '../../platform/memoize-weak.ts'
import { token } from '../../text.ts'
import { checkSameVariant, checkSettings } from './checks.ts'
import { DEFAULT_SETTINGS, given, SearchSettings, type SearchSettingsChange } from './settings.ts'
import { NO_TUNING, type Tuning, tuningOf } from './tuning.ts'

/** All that is set for the searches of a catalog, in one document. */
interface SettingsDocument {
  readonly settings: SearchSettings
}

const settingsOf = (elastic: Elastic, scope: CatalogScope): Collection<SettingsDocument> =>
  collection<SettingsDocument>(elastic, searchSettingsPlaceOf(scope))

const cacheId = ({ owner, name }: CatalogScope): string => token(owner, name)

/** Whole settings are looked through one after the other, in turn by organization. */
const turnsOf = memoizeWeak<Elastic, Admission>(() =>
  createAdmission({ capacity: 1, waiting: Infinity, pauses: true, what: 'search settings' }),
)

/** Looks through settings, which may be long, however small the request is. */
export const inSettingsTurn = <T>(
  { elastic, organization, signal }: Pick<Context, 'elastic' | 'organization' | 'signal'>,
  work: () => T | Promise<T>,
): Promise<T> => turnsOf(elastic).run(loadOwner(organization), async () => work(), { signal })

/** The settings of a catalog, with defaults for what was never set. */
export async function readSettings(ctx: Context, scope: CatalogScope): Promise<SearchSettings> {
  const found = await settingsOf(ctx.elastic, scope).get(ID, { signal: ctx.signal })
  if (!found) return DEFAULT_SETTINGS
  return inSettingsTurn(ctx, () => SearchSettings.parse(found.source.settings))
}

/** Names what is set: the same settings have the same version, however they came to be. */
export const settingsVersion = (settings: SearchSettings): string =>
  createHash('sha256').update(JSON.stringify(settings)).digest('base64url').slice(0, 22)

/** Throws PreconditionFailed where somebody changed the settings since they were read. */
function checkVersion(settings: SearchSettings, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch === settingsVersion(settings)) return
  throw new PreconditionFailed('The search settings were changed meanwhile. Read them again.')
}

/**
 * Replaces the parts that `change` gives. Throws Invalid, Conflict, PreconditionFailed where
 * `ifMatch` names another version, and what `change` throws.
 */
export async function changeSettings(
  ctx: Context,
  scope: CatalogScope,
  change: (settings: SearchSettings) => SearchSettingsChange,
  { ifMatch }: { readonly ifMatch?: string | undefined } = {},
): Promise<void> {
  const changed = (found: SettingsDocument | undefined) => inSettingsTurn(ctx, () => after(found))
  const after = async (found: SettingsDocument | undefined) => {
    const settings = SearchSettings.parse(found?.settings ?? {})
    await setImmediate()
    checkVersion(settings, ifMatch)
    const next = await withChange(settings, change(settings))
    ctx.noteChange?.({ owner: scope.owner, before: settings, after: next })
    return { settings: next }
  }
  await changeDocument(settingsOf(ctx.elastic, scope), ID, changed, { signal: ctx.signal })
  ctx.cache.drop('search settings', cacheId(scope))
}

/** The settings with other parts. Throws Invalid, and Conflict for a name that is another experiment's. */
export async function withChange(
  settings: SearchSettings,
  change: SearchSettingsChange,
): Promise<SearchSettings> {
  const next: SearchSettings = { ...settings, ...given(change) }
  await inSteps(checkSettings(next))
  checkSameVariant(settings.experiment, next.experiment)
  return next
}

interface Prepared {
  /** Of the document that it was made of. */
  readonly version: string
  readonly tuning: Tuning
}

/** Bytes of settings as JSON that an instance keeps prepared; prepared they are some times as large. */
const PREPARED_BYTES = 32 * 1024 * 1024

const preparedOf = memoizeWeak<Elastic, LRUCache<string, Prepared>>(
  () => new LRUCache({ maxSize: PREPARED_BYTES }),
)

/** What searches of a catalog go by, at most `limits.searchSettingsMs` old. */
export async function tuningFor(services: Services, scope: CatalogScope): Promise<Tuning> {
  const load = () => currentTuning(services.elastic, scope)
  const options = { freshMs: limits.searchSettingsMs }
  return (await services.cache.get('search settings', cacheId(scope), load, options))!
}

/** Reads the settings only where they changed since they were prepared. */
async function currentTuning(elastic: Elastic, scope: CatalogScope): Promise<Tuning> {
  const head = await settingsOf(elastic, scope).get(ID, { source: ['scope'] })
  if (!head) return NO_TUNING
  const known = preparedOf(elastic).get(cacheId(scope))
  if (known?.version === versionOf(head)) return known.tuning
  return turnsOf(elastic).run(scope.owner, () => preparedTuning(elastic, scope))
}

async function preparedTuning(elastic: Elastic, scope: CatalogScope): Promise<Tuning> {
  const found = await settingsOf(elastic, scope).get(ID)
  if (!found) return NO_TUNING
  const settings = SearchSettings.parse(found.source.settings)
  await setImmediate()
  const tuning = await inSteps(tuningOf(settings))
  const size = JSON.stringify(settings).length * (settings.experiment ? 2 : 1)
  preparedOf(elastic).set(cacheId(scope), { version: versionOf(found), tuning }, { size })
  return tuning
}

const versionOf = ({ seqNo, primaryTerm }: { seqNo: number; primaryTerm: number }): string =>
  `${primaryTerm}/${seqNo}`
