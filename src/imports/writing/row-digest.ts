import { BadRow } from '../../formats/rows/mapped-row.ts'
import type { RowChange } from '../../formats/rows/row-change.ts'
import { imageIdIn } from '../../products/image-ids.ts'
import { annotationsOf, type ProductDocument } from '../../products/product.ts'
import { hashOfImport, hashOfRows, rowDigestOf } from '../../products/row-digest.ts'
import type { RowOutcome } from './apply-rows.ts'
import type { Applied } from './draft.ts'

/** To be raised when rows are applied in another way: what was found unchanged before counts no more. */
const RULES = 1

/** What decides besides the rows and the product what becomes of it. */
export interface DigestSettings {
  readonly updateMetadata: boolean
}

/**
 * A hash of the rows of a product that make, once they are applied, only assignments of constants,
 * so that applying them again changes nothing; undefined for others: those that delete or withdraw,
 * that hide (an offer shows again), and with pictures that are kept here, which may stand for others.
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

interface DigestOptions extends DigestSettings {
  readonly task: string
}

/** What applying rows made of a product, with their digest where it may have one. */
export function withRowDigest(
  applied: Applied<RowOutcome>,
  existing: ProductDocument | undefined,
  rows: readonly RowChange[],
  { task, ...settings }: DigestOptions,
): Applied<RowOutcome> {
  const { document, removes, outcomes } = applied
  // Of rows that an earlier run of the import applied, the product may have more than these do.
  if (!document || removes || existing?.imported?.task === task) return applied
  if (outcomes.some((outcome) => outcome instanceof BadRow) || hasLinks(document)) return applied
  const hashed = hashOfGroup(document.product.id, rows, settings)
  if (hashed === undefined) return applied
  const by = { rows: hashed, import: hashOfImport(task) }
  const rowDigest = rowDigestOf(by, document.product.version)
  return rowDigest === undefined ? applied : { ...applied, document: { ...document, rowDigest } }
}

/** Links that people added are left out of what rows say, and would not be once they are removed. */
const hasLinks = ({ annotations }: ProductDocument): boolean =>
  Object.keys(annotations).some((one) => annotationsOf(annotations, one).links.length > 0)
