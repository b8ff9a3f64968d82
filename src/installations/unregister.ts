import { term } from '../elastic/clauses.ts'
import { collection } from '../elastic/collection.ts'
import type { Scoped } from '../elastic/scan.ts'
import { Conflict, Forbidden, NotFound } from '../errors.ts'
import type { Installation } from '../extensions/installation.ts'
import { ALL_ORGANIZATIONS, registrationsOf } from '../extensions/registrations.ts'
import type { Context } from '../operation.ts'
import { childrenOf } from '../organizations/store.ts'
import { isBuiltIn } from './available-extensions.ts'
import { homeOf, type RegistrationScope, registeredElsewhere } from './register.ts'

/** Removes a registration that is installed nowhere. Throws NotFound, Conflict, Forbidden. */
export async function removeExtension(
  ctx: Context,
  { id, ...reach }: { readonly id: string } & RegistrationScope,
): Promise<void> {
  const home = homeOf(ctx, reach)
  const { signal } = ctx
  const registered = registrationsOf(ctx, home)
  const found = await registered.get(id, { signal })
  if (!found) {
    await refuseElsewhere(ctx, home, id)
    throw new NotFound('Extension')
  }
  ctx.noteChange?.({ owner: home, before: found.source })
  const installed = await installedFrom(ctx, home, id)
  if (installed.total > 0) {
    throw new Conflict(
      `The extension is still installed: ${whereIs(installed)}. Uninstall it first.`,
    )
  }
  if (!(await registered.remove(id, { signal, at: found, refresh: true }))) {
    throw new NotFound('Extension')
  }
}

/** Throws if the extension is visible here but registered elsewhere. */
async function refuseElsewhere(ctx: Context, home: string, id: string): Promise<void> {
  const other = await registeredElsewhere(ctx, home, id)
  if (other !== undefined) {
    throw new Forbidden(
      `The extension was registered ${other === ALL_ORGANIZATIONS ? 'for all organizations' : `by ${other}`} and can only be removed there.`,
    )
  }
  if (isBuiltIn(id)) {
    throw new Forbidden('A built-in extension cannot be removed.')
  }
}

/** Maximum number of installations named in the message. */
const NAMED = 5

interface InstalledFrom {
  readonly total: number
  readonly first: readonly Scoped<Installation>[]
}

/** Installations that may use it, in the organization and its children or in all organizations. */
async function installedFrom(ctx: Context, home: string, id: string): Promise<InstalledFrom> {
  const { signal, elastic } = ctx
  const all = collection<Scoped<Installation>>(elastic, { kind: 'installations', scope: [] })
  const filter = [term('extension', id)]
  if (home !== ALL_ORGANIZATIONS) {
    const children = await childrenOf(ctx, home)
    filter.push({ terms: { scope: [home, ...children] } })
  }
  const query = { bool: { filter } }
  const body = { query, size: NAMED, sort: [{ created: 'asc' as const }, { id: 'asc' as const }] }
  const first = await all.find(body, { signal })
  const total = first.length < NAMED ? first.length : await all.count(query, { signal })
  return { total, first }
}

/** Says where it is installed. A personal installation is listed only for its user. */
function whereIs({ total, first }: InstalledFrom): string {
  const named = first.map(({ id, scope, level, username }) =>
    level === 'user' ? `${id} in ${scope}, only for ${username}` : `${id} in ${scope}`,
  )
  return [...named, ...(total > NAMED ? [`and ${total - NAMED} more`] : [])].join('; ')
}
