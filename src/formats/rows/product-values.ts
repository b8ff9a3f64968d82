import { limits } from '../../limits.ts'
import { cut } from '../../text.ts'
import { categoryLevels } from './category-path.ts'
import { splitAddresses } from './cell-values.ts'
import { type MappedColumn, targetName } from './fields.ts'

/** The parsed value of a cell. */
export type FieldValueRead = string | number | boolean | readonly string[]

/** The fields of a product that a row fills. */
type ProductValues = Readonly<Record<string, FieldValueRead | null>>

/**
 * Splits `A > B > C` into the two top levels and the lowest one, unless the row has other levels or
 * the file, such as an export, has a column for each level.
 */
export function withLevels(
  product: ProductValues,
  columns: readonly MappedColumn[],
): ProductValues {
  const { category } = product
  if (typeof category !== 'string') return product
  const hasColumn = (field: string) => columns.some(({ target }) => targetName(target) === field)
  const isSplit = product.segment !== undefined || product.subCategory !== undefined
  if (isSplit || (hasColumn('segment') && hasColumn('subCategory'))) {
    return { ...product, category: cut(category, limits.nameLength) }
  }
  const [segment, second, ...below] = categoryLevels(category)
  if (second === undefined) return { ...product, category: segment! }
  // Clears a level that an earlier path had and this one does not have.
  const lowest = below.at(-1) ?? (hasColumn('subCategory') ? undefined : null)
  return {
    ...product,
    ...{ segment: segment!, category: second },
    ...(lowest === undefined ? {} : { subCategory: lowest }),
  }
}

/** Splits several pictures in the field for one: the first, and further ones. */
export function withPictures(product: ProductValues): ProductValues {
  const { image, images = [] } = product
  if (typeof image !== 'string') return product
  const [first = image, ...others] = splitAddresses(image)
  if (others.length === 0) return { ...product, image: first }
  const all = [...new Set([...others, ...(images as readonly string[])])]
  return { ...product, image: first, images: all.slice(0, limits.productListEntries) }
}
