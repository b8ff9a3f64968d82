import type { Call, OptionsRequest } from '../extensions/contract.ts'
import type { ExtensionOptionsResponse } from '../extensions/schemas.ts'
import type { FileWriter, ProductNames } from '../formats/file-writer.ts'
import { fold } from '../text.ts'
import { namesInCatalog } from './product-names.ts'

/** Values that a field of a file export may be given. Throws NotFound for a missing catalog. */
export async function optionsOf(
  writer: FileWriter,
  { ctx, installed, request }: Call<OptionsRequest>,
): Promise<ExtensionOptionsResponse> {
  const text = fold(request.search ?? '')
  // Before an extension is installed there may be no catalog to look into.
  const catalog = installed.catalog ?? ctx.organization.defaultCatalog
  const names = async () => (catalog === null ? NONE : namesInCatalog(ctx, catalog))
  const all = await writer.options(request.field, names)
  return {
    error: null,
    success: true,
    options: all
      .filter(({ value }) => fold(value).includes(text))
      .map(({ value, isDefault }) => ({ value, display: value, default: isDefault })),
  }
}

const NONE: ProductNames = { facets: [], filters: [], attributes: [] }
