import type { Call, OptionsRequest } from '../extensions/contract.ts'
import type { ExtensionOptionsResponse } from '../extensions/wire.ts'
import { defaultHeadings } from '../formats/csv/product-columns.ts'
import { fold } from '../text.ts'
import { type Names, namesIn } from './names.ts'
import { DELIMITERS, ENCODINGS } from './settings.ts'

type Option = ExtensionOptionsResponse['options'][number]

const optionOf = (value: string, isDefault = false): Option => ({
  value,
  display: value,
  default: isDefault,
})

const firstIsDefault = (values: readonly string[]): Option[] =>
  values.map((value, index) => optionOf(value, index === 0))

/** Values that a field of the file exports may be given. Throws NotFound for a missing catalog. */
export async function optionsOf(call: Call<OptionsRequest>): Promise<ExtensionOptionsResponse> {
  const { field, search } = call.request
  const text = fold(search ?? '')
  const all = await valuesFor(call, field)
  return {
    error: null,
    success: true,
    options: all.filter(({ display }) => fold(display).includes(text)),
  }
}

async function valuesFor(call: Call<OptionsRequest>, field: string): Promise<Option[]> {
  if (field === 'delimiter') return firstIsDefault(Object.keys(DELIMITERS))
  if (field === 'encoding') return firstIsDefault(ENCODINGS)
  return field === 'columns' ? columnOptions(await namesFor(call)) : []
}

/** Pure. */
const columnOptions = (names: Names): Option[] => [
  ...defaultHeadings(names).map((heading) => optionOf(heading, true)),
  ...names.attributes.map((name) => optionOf(`attribute:${name}`)),
]

const NONE: Names = { facets: [], filters: [], attributes: [] }

/** Before an extension is installed there may be no catalog to look into. */
async function namesFor({ ctx, installed }: Call<OptionsRequest>): Promise<Names> {
  const catalog = installed.catalog ?? ctx.organization.defaultCatalog
  return catalog === null ? NONE : namesIn(ctx, catalog)
}
