import type { Call, ExportExtension, RunRequest } from '../extensions/contract.ts'
import type { ExtensionRunResponse } from '../extensions/schemas.ts'
import { limits } from '../limits.ts'
import { fieldsPlace } from './call-pages.ts'
import { searchOfRun } from './settings.ts'
import { queueExport } from './start.ts'

/**
 * Queues the export of a whole catalog to a remote extension, which sees a page of products in each
 * call. `search` limits it, unless the extension has a field of that name itself. Throws Invalid.
 */
export function queueRemote(
  { ctx, installed, request }: Call<RunRequest>,
  { manifest: { fields }, origin }: ExportExtension,
): Promise<ExtensionRunResponse> {
  const { additionalFields } = request
  const { search, ...others } = additionalFields
  const isTheirs = search === undefined || fields.some(({ field }) => field === 'search')
  const values = JSON.stringify(isTheirs ? additionalFields : others)
  return queueExport(
    { ctx },
    {
      installed: { id: installed.id, name: installed.name },
      selection: {
        products: null,
        catalog: installed.catalog ?? '',
        search: isTheirs ? null : searchOfRun({ search }),
      },
      to: {
        format: 'remote',
        remote: {
          fields: ctx.secrets.seal(values, fieldsPlace(ctx, installed.id)),
          origin: origin ?? null,
          pageSize: limits.exportPage,
        },
      },
    },
  )
}
