import { all, term } from '../elastic/clauses.ts'
import { Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import type { ExtensionField } from '../products/product.ts'
import { token } from '../text.ts'
import { refreshWorkspaces } from './reading.ts'
import { checkRoom } from './room.ts'
import { documentsOf } from './store.ts'
import type { FieldDocument } from './workspace.ts'

interface FieldName {
  readonly extension: string
  readonly field: string
}

const fieldsOf = (ctx: Context) => documentsOf<FieldDocument>(ctx, ctx.organization.id)

const fieldKey = (workspace: string, { extension, field }: FieldName): string =>
  token('field', workspace, extension, field)

/** Sets a field of an extension; null removes it. Doing so again changes nothing. */
export async function updateField(
  ctx: Context,
  workspace: string,
  { value, ...name }: FieldName & { value: string | null },
): Promise<void> {
  const { signal } = ctx
  const fields = fieldsOf(ctx)
  const key = fieldKey(workspace, name)
  const known = value !== null && (await fields.get(key, { signal }))
  if (value !== null && !known) await checkRoom(ctx, { kind: 'field', workspace, added: 1 })
  try {
    if (value === null) await fields.remove(key, { signal })
    else await fields.put(key, { kind: 'field', workspace, ...name, value }, { signal })
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    const stored = await fields.get(key, { signal })
    if ((stored?.source.value ?? null) !== value) throw error
  }
}

/** The fields of a workspace by extension and name, or those that are asked for. */
export async function readFields(
  ctx: Context,
  workspace: string,
  { extension, field }: Partial<FieldName> = {},
): Promise<ExtensionField[]> {
  await refreshWorkspaces(ctx)
  const answer = await fieldsOf(ctx).search(
    {
      query: all([
        term('kind', 'field'),
        term('workspace', workspace),
        extension === undefined ? undefined : term('extension', extension),
        field === undefined ? undefined : term('field', field),
      ])!,
      size: limits.resultWindow,
      sort: [{ extension: 'asc' }, { field: 'asc' }],
      track_total_hits: false,
    },
    { signal: ctx.signal },
  )
  return answer.hits.hits.map(({ _source }) => ({
    extensionId: _source!.extension,
    key: _source!.field,
    value: _source!.value,
  }))
}
