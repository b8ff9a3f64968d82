import { bulk } from '../../src/elastic/bulk.ts'
import { collection } from '../../src/elastic/collection.ts'
import { type Key, newKey } from '../../src/keys/key.ts'
import { newSecret } from '../../src/keys/key-text.ts'
import type { Services } from '../../src/operation.ts'
import { newOrganization } from '../../src/organizations/edit.ts'
import { MEMBER_ROLES, type MemberRole } from '../../src/organizations/organization.ts'
import { NewOrganization } from '../../src/organizations/schemas.ts'
import { organizationsOf } from '../../src/organizations/store.ts'

/** An organization that no test has used yet, and a full key of each of its members. */
export interface FreshOrganization {
  readonly id: string
  readonly keys: Readonly<Record<MemberRole, string>>
}

const AT_ONCE = 16

/** Organizations that were created and not yet taken, by index prefix. */
const pools = new Map<string, FreshOrganization[]>()

/** Takes an unused organization. Many are stored at once, since most of the cost is the refresh. */
export async function freshOrganization(services: Services): Promise<FreshOrganization> {
  const { prefix } = services.elastic.settings
  const pool = pools.get(prefix) ?? []
  pools.set(prefix, pool)
  if (pool.length === 0) pool.push(...(await store(services)))
  return pool.pop()!
}

async function store(services: Services): Promise<FreshOrganization[]> {
  const now = services.clock.now()
  const keys = collection<Key>(services.elastic, { kind: 'keys', scope: [] })
  const users = MEMBER_ROLES.map((role) => ({ username: role, role }))
  const fresh = Array.from({ length: AT_ONCE }, () => {
    const id = `t-${crypto.randomUUID()}`
    const request = NewOrganization.parse({ id, name: id, users })
    const organization = newOrganization(request, id, now)
    const secrets = MEMBER_ROLES.map((role) => [role, newSecret('full')] as const)
    const documents = secrets.map(([username, secret]) =>
      newKey(secret, now, {
        name: `${username} full`,
        keyType: 'full',
        username,
        reach: 'organization',
        organization: id,
        membership: organization.users.find((user) => user.username === username)!.membership,
        origins: null,
        cache: null,
        expires: null,
      }),
    )
    const items = [
      organizationsOf(services).bulkItem(id, organization),
      ...documents.map((key) => keys.bulkItem(key.hash, key)),
    ]
    return { id, keys: Object.fromEntries(secrets) as FreshOrganization['keys'], items }
  })
  const all = fresh.flatMap(({ items }) => items)
  const results = await bulk(services.elastic, all, { refresh: true })
  const failed = results.find(({ status }) => status !== 201)
  if (failed) throw new Error(JSON.stringify(failed))
  return fresh
}
