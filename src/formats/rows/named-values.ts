import { limits } from '../../limits.ts'
import type { ProductLink } from '../../products/product.ts'
import { type MappedColumn, nameProblem, targetOf } from './fields.ts'
import { BadRow, imageOf, mappedRow, type RowFormat } from './mapped-row.ts'
import type { RowChange } from './row-change.ts'

/** A field in the terms of a mapping, its text, and the name if the field needs one. */
export type FieldValue = readonly [field: string, text: string, name?: string]

/** Maximum number of names of a cell that are read: with more of them, a product is refused. */
export const NAMES_READ = 2 * limits.productAttributes

/** A row that has its own field names, small enough to be kept as text. */
export interface RowValues {
  readonly values: readonly FieldValue[]
  readonly images?: readonly string[]
  readonly links?: readonly (readonly [type: string, url: string])[]
  readonly action?: RowChange['action']
}

/** Reads a row in the same way as a row with columns. Throws BadRow with the reason. */
export function valuesRow(
  { values, images, links, action }: RowValues,
  format: Omit<RowFormat, 'columns'>,
) {
  const columns = values.map(([field, , name], index) => columnOf(index, field, name))
  const cells = values.map(([, text]) => text)
  const row = mappedRow(cells, { ...format, columns })
  const change: RowChange = {
    ...row,
    patch: {
      ...row.patch,
      ...(images ? { images: listed(images, 'images').map(imageOf) } : {}),
      ...(links ? { links: listed(links, 'links').map(linkOf) } : {}),
    },
  }
  return action ? { ...change, action } : change
}

function columnOf(index: number, field: string, name: string | undefined): MappedColumn {
  const problem = name === undefined ? undefined : nameProblem(name)
  if (problem) throw new BadRow(`${field}: ${problem}`)
  return { index, target: targetOf(field, name ?? null)! }
}

function listed<T>(entries: readonly T[], name: string): readonly T[] {
  if (entries.length <= limits.productListEntries) return entries
  throw new BadRow(`${name}: more than ${limits.productListEntries} entries`)
}

const linkOf = ([type, value]: readonly [string, string]): ProductLink => ({
  type: type.slice(0, limits.nameLength).toWellFormed(),
  value,
  recommended: false,
})

/** A field with its text; empty for an empty text. */
export const pair = (field: string, text: string): FieldValue[] =>
  text === '' ? [] : [[field, text]]
