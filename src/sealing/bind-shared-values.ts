import { changeDocument } from '../elastic/change-document.ts'
import { term } from '../elastic/clauses.ts'
import { originOf } from '../extensions/destinations.ts'
import { type StoredValues, sharedName } from '../extensions/installation.ts'
import {
  findRegistration,
  type Registration,
  registrationHomes,
} from '../extensions/registrations.ts'
import { installationsIn, SHARED, type SharedValues, sharedValuesOf } from '../extensions/store.ts'
import type { Services } from '../operation.ts'
import { currentOrganization } from '../organizations/store.ts'
import { scanRefreshed } from './scan-refreshed.ts'

type ElasticServices = Pick<Services, 'elastic'>

const DOCUMENT_MS = 30_000

/**
 * Earlier versions kept one protected value per `sharedKey`. Copies it to each origin whose
 * extensions are installed now, and to no others. Returns the number of copies.
 */
export async function bindSharedValues(services: ElasticServices): Promise<number> {
  let bound = 0
  const all = scanRefreshed(services.elastic, 'installations', { query: term('id', SHARED) })
  for await (const batch of all) {
    for (const { scope } of batch) bound += await bindOf(services, scope)
  }
  return bound
}

async function bindOf(services: ElasticServices, organization: string): Promise<number> {
  const registrations = await installedIn(services, organization)
  let count = 0
  const bind = (found: SharedValues | undefined): SharedValues | undefined => {
    if (!found) return undefined
    const added = boundValues(found.values, registrations)
    count = Object.keys(added).length
    return count === 0 ? found : { ...found, values: { ...found.values, ...added } }
  }
  const signal = AbortSignal.timeout(DOCUMENT_MS)
  await changeDocument(sharedValuesOf(services, organization), SHARED, bind, { signal })
  return count
}

/** The values that are missing for origins. */
function boundValues(
  values: StoredValues,
  registrations: readonly Pick<Registration, 'url' | 'manifest'>[],
): StoredValues {
  const added: Record<string, StoredValues[string]> = {}
  for (const { url, manifest } of registrations) {
    const origin = originOf(url)!
    for (const field of manifest.fields.filter((one) => one.protected)) {
      const [plain, own] = [sharedName(field), sharedName(field, origin)]
      const value = plain !== undefined && Object.hasOwn(values, plain) ? values[plain] : undefined
      if (!value?.sealed || value.to !== undefined || Object.hasOwn(values, own!)) continue
      added[own!] = { ...value, to: [origin] }
    }
  }
  return added
}

async function installedIn(
  services: ElasticServices,
  organization: string,
): Promise<Registration[]> {
  const parent = (await currentOrganization(services, organization))?.parent ?? null
  const installed = await installationsIn(services, organization)
  const ids = new Set(installed.map(({ extension }) => extension))
  const homes = registrationHomes(organization, parent)
  const found = await Promise.all([...ids].map((id) => findRegistration(services, { homes, id })))
  return found.flatMap((one) => one?.registered.registration ?? [])
}
