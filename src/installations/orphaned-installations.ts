import { term } from '../elastic/clauses.ts'
import { type Scoped, scanAllScopes } from '../elastic/scan.ts'
import type { Installation } from '../extensions/installation.ts'
import type { Services } from '../operation.ts'
import { OPERATOR, roleIn } from '../organizations/organization.ts'
import { currentOrganization, familyOf } from '../organizations/store.ts'
import { forEach } from '../platform/for-each.ts'
import { removeInstallation } from './uninstall.ts'

const REMOVE_MS = 10_000

/** The part of an installation that is read here; all its values may take megabytes. */
type Owned = Pick<Installation, 'id' | 'username'>

/**
 * Removes personal installations, with their values, of users without a role in the organization:
 * of one user, or of all. Failures are logged and retried next time.
 */
export const removeOrphanedInstallations = (
  services: Services,
  { username, signal }: { username?: string; signal?: AbortSignal } = {},
): Promise<number> =>
  forEach(services, {
    name: 'remove extensions of users who left',
    items: scanAllScopes<Owned>(services.elastic, 'installations', {
      _source: ['id', 'scope', 'username'],
      query: {
        bool: {
          filter: [term('level', 'user'), ...(username ? [term('username', username)] : [])],
          // The operator is not a member of any organization.
          must_not: [term('username', OPERATOR)],
        },
      },
      sort: ['scope', 'id'],
    }),
    work: (installation) => removeIfOrphaned(services, installation),
    signal,
  })

async function removeIfOrphaned(
  services: Services,
  { id, scope, username }: Scoped<Owned>,
): Promise<void> {
  const known = await familyOf(services, scope, {})
  if (!known || roleIn(known, username) !== null) return
  // The cache does not know a user who has just joined again.
  const family = await familyOf(services, scope, { read: currentOrganization })
  if (!family || roleIn(family, username) !== null) return
  const { organization } = family
  const signal = AbortSignal.timeout(REMOVE_MS)
  await removeInstallation({ ...services, organization, signal }, id)
}
