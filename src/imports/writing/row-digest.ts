import { BadRow } from '../../formats/rows/mapped-row.ts'
import type { RowChange } from '../../formats/rows/row-change.ts'
import { imageIdIn } from '../../products/image-ids.ts'
import { annotationsOf, type ProductDocument } from '../../products/product.ts'
import { hashOfImport, hashOfRows, rowDigestOf } from '../../products/row-digest.ts'
import type { RowOutcome } from './apply-rows.ts'
import type { Applied } from './draft.ts'

/** Must be increased when rows are applied differently, which invalidates stored digests. */
const RULES = 1

/** Settings that affect the result besides the rows and the product. */
export interface DigestSettings {
  readonly updateMetadata: boolean
}

/**
 * A hash of a product's rows, if applying them again changes nothing because they only assign
 * constants. Undefined for rows that delete, withdraw or hide (an offer shows a product again), and
 * for rows with pictures stored here, which may stand for others.
 */
export function hashOfGroup(
  id: string,
  rows: readonly RowChange[],
  { updateMetadata }: DigestSettings,
): string | undefined {
  if (!rows.every(assigns)) return undefined
  return hashOfRows(JSON.stringify([RULES, updateMetadata, id, rows]))
}

function assigns({ action, refused, patch }: RowChange): boolean {
  if (refused !== undefined || (action !== undefined && action !== 'update')) return false
  if (patch.hidden) return false
  const { image, images = [] } = patch
  return !isKept(image) && !images.some(({ url }) => isKept(url))
}

const isKept = (url: string | null | undefined): boolean => !!url && imageIdIn(url) !== undefined

/** Adds a digest to the result of applying rows, if it may have one. */
export function withRowDigest(
  applied: Applied<RowOutcome>,
  existing: ProductDocument | undefined,
  rows: readonly RowChange[],
  { task, ...settings }: DigestSettings & { readonly task: string },
): Applied<RowOutcome> {
  const { document, removes, outcomes } = applied
  // The product may include rows that an earlier run of the import applied.
  if (!document || removes || existing?.imported?.task === task) return applied
  if (outcomes.some((outcome) => outcome instanceof BadRow) || hasLinks(document)) return applied
  const hashed = hashOfGroup(document.product.id, rows, settings)
  if (hashed === undefined) return applied
  const by = { rows: hashed, import: hashOfImport(task) }
  const rowDigest = rowDigestOf(by, document.product.version)
  return rowDigest === undefined ? applied : { ...applied, document: { ...document, rowDigest } }
}

/** Links added by users are left out of the rows, but would not be once the users remove them. */
const hasLinks = ({ annotations }: ProductDocument): boolean =>
  Object.keys(annotations).some((one) => annotationsOf(annotations, one).links.length > 0)
