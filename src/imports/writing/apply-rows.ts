import { BadRow } from '../../formats/rows/mapped-row.ts'
import type { RowChange } from '../../formats/rows/row-change.ts'
import { limits } from '../../limits.ts'
import type { Steps } from '../../platform/steps.ts'
import { type ChangeStamp, emptyProduct, nextDocument } from '../../products/next-document.ts'
import { applyPatch, changedFields } from '../../products/patch.ts'
import type { Product, ProductDocument } from '../../products/product.ts'
import { catalogPatch } from '../../products/view.ts'
import type { Applied } from './draft.ts'
import { type Marking, markAfter, outcomeBefore } from './import-mark.ts'
import { withOffers, withoutOffers } from './offer-changes.ts'
import { isRival, keysOfProduct, keysOfRow, leadingKeys } from './row-keys.ts'

/** The result of one row, or the reason for its rejection. */
export type RowOutcome = 'created' | 'updated' | 'hidden' | 'deleted' | 'unchanged' | BadRow

export interface ApplyOptions {
  readonly catalog: string
  /** The organization whose annotations are left out of a product that a client sends back. */
  readonly organization: string
  readonly createProducts: boolean
  readonly updateMetadata: boolean
  readonly stamp: ChangeStamp
  readonly now: Date
  /** Absent when nothing is written. */
  readonly marking?: RowMarking
}

/** The run that applies rows, and their numbers in the file, from 1. */
interface RowMarking extends Marking {
  readonly numbers: readonly number[]
}

/** Applies the rows of one product in the order of the file; the last one wins. */
export function applyRows(
  id: string,
  existing: ProductDocument | undefined,
  rows: readonly RowChange[],
  options: ApplyOptions,
): Steps<Applied<RowOutcome>> {
  return existing ? update(existing, rows, options) : create(id, rows, options)
}

function* create(
  id: string,
  rows: readonly RowChange[],
  options: ApplyOptions,
): Steps<Applied<RowOutcome>> {
  const { catalog, stamp, now, marking } = options
  const isUnseen = rows.some(({ action }) => action === 'delete')
  const { product, outcomes } = yield* applyInTurn(undefined, rows, {
    ...options,
    empty: () => emptyProduct({ id, catalog, actor: stamp.actor, now }),
  })
  if (!product) return { document: undefined, isUnseen, outcomes }
  const imported = marking && markAfter(undefined, marking, { ...marking, outcomes })
  const document = { product, annotations: {}, pending: [], ...(imported ? { imported } : {}) }
  return { document, isUnseen, outcomes }
}

interface Turn extends ApplyOptions {
  /** The empty product for a row that creates one. */
  empty(): Product
  /** Outcomes of rows that an earlier run applied. */
  readonly done?: readonly (RowOutcome | undefined)[]
  own?(row: RowChange): RowChange
  /** Whether the product is another one than the row is about. */
  isOther?(row: RowChange): boolean
}

/** Applies rows in order; the product is undefined if there is none, or no longer. */
function* applyInTurn(
  before: Product | undefined,
  rows: readonly RowChange[],
  turn: Turn,
): Steps<{ product: Product | undefined; outcomes: RowOutcome[] }> {
  const { createProducts, updateMetadata, empty, done = [] } = turn
  const { own = (row) => row, isOther = () => false } = turn
  let product = before
  const apply = (row: RowChange, at: number): RowOutcome => {
    if (row.refused !== undefined) return new BadRow(row.refused)
    if (isOther(row)) return done[at] ?? TAKEN
    if (row.action === 'delete') {
      if (!updateMetadata)
        return new BadRow('the product is not deleted because updateMetadata is false')
      if (done[at]) return done[at]
      const outcome = product ? 'deleted' : 'unchanged'
      product = undefined
      return outcome
    }
    if (!product) {
      if (!createProducts) return NOT_CREATED
      if (row.action) return new BadRow('product not found')
    }
    const next = attempt(product ?? empty(), own(row), !product || updateMetadata)
    if (next instanceof BadRow) return next
    if (done[at]) return done[at]
    const outcome = !product ? 'created' : differs(product, next) ? 'updated' : 'unchanged'
    const isWithdrawn = row.action === 'withdraw' && outcome === 'updated'
    const after = isWithdrawn && next.vendors.length === 0 && row.afterLast
    // The same object when nothing changes, so that changes are not compared again.
    const kept = outcome === 'unchanged' ? product : next
    product = after === 'delete' ? undefined : after ? { ...next, hidden: true } : kept
    return after === 'delete' ? 'deleted' : after ? 'hidden' : outcome
  }
  const outcomes: RowOutcome[] = []
  for (const row of rows) {
    outcomes.push(apply(row, outcomes.length))
    yield
  }
  return { product, outcomes }
}

const TAKEN = new BadRow(
  'the id derived from this number belongs to a product that has another number now; give the row an id',
)
const NOT_CREATED = new BadRow('product not found, and createProducts is false')

function* update(
  existing: ProductDocument,
  rows: readonly RowChange[],
  options: ApplyOptions,
): Steps<Applied<RowOutcome>> {
  const { organization, stamp, now, marking } = options
  const done = rows.map(
    (_, at) => marking && outcomeBefore(existing.imported, marking, marking.numbers[at]!),
  )
  const { version, catalog, id } = existing.product
  const { product, outcomes } = yield* applyInTurn(existing.product, rows, {
    ...options,
    done,
    empty: () => ({
      ...emptyProduct({ id, catalog, actor: stamp.actor, now }),
      version: version + 1,
    }),
    // A row without an id finds a product by its keys, or creates one whose id it derives from them.
    isOther: (row) => row.id === null && hasOtherNumber(existing.product, row),
    own(row) {
      const patch = catalogPatch(row.patch, existing, organization)
      return patch === row.patch ? row : { ...row, patch }
    },
  })
  if (!product) return { document: existing, removes: true, outcomes }
  const imported = marking
    ? markAfter(existing.imported, marking, { ...marking, outcomes })
    : existing.imported
  // A product that is created again keeps nothing of the deleted one but its log.
  const isNew = outcomes.includes('deleted')
  const next = { ...existing, product, ...(imported ? { imported } : {}) }
  const document = isNew
    ? withoutAdditions(next)
    : nextDocument(existing, next, { stamp, now, unlogged: ['vendors'] })
  if (document) return { document, outcomes }
  // Rows that cancel each other out leave nothing to write.
  return {
    document,
    outcomes: outcomes.map((outcome, at) =>
      outcome === 'updated' && !done[at] ? 'unchanged' : outcome,
    ),
  }
}

/**
 * Whether the product has another number than the row where the row has its key. A product that
 * lost its number, such as by the end of its offer, may get it again.
 */
function hasOtherNumber(product: Product, row: RowChange): boolean {
  const keys = leadingKeys(keysOfRow(row))
  const rivals = keysOfProduct(product).filter((own) => keys.some((key) => isRival(key, own)))
  return (
    rivals.length > 0 && !rivals.some((own) => keys.some(({ number }) => number === own.number))
  )
}

function withoutAdditions({ listPrices: _, ...document }: ProductDocument): ProductDocument {
  return { ...document, annotations: {} }
}

const differs = (before: Product, after: Product): boolean =>
  changedFields(before, after).length > 0

function attempt(product: Product, row: RowChange, metadata: boolean): Product | BadRow {
  try {
    if (row.action === 'withdraw') return withoutOffers(product, row.offers)
    if (!metadata) return withOffers(product, row.offers)
    const { hidden } = row.patch
    const offered = withOffers(withCatalogData(product, row), row.offers)
    return hidden === undefined ? offered : { ...offered, hidden }
  } catch (error) {
    if (error instanceof BadRow) return error
    throw error
  }
}

function withCatalogData(product: Product, row: RowChange): Product {
  return applyPatch(product, {
    ...row.patch,
    ...(row.attributes ? { attributes: added(product.attributes, row.attributes) } : {}),
    ...(row.facets ? { facets: added(product.facets, row.facets) } : {}),
    ...(row.filters ? { filters: added(product.filters, row.filters) } : {}),
    ...(row.options ? { options: added(product.options, row.options, OPTIONS) } : {}),
  })
}

const VALUES = { most: limits.productAttributes, what: 'attributes, facets or filters' }
const OPTIONS = { most: limits.productOptions, what: 'options' }

function added<T>(
  known: Readonly<Record<string, T>> | undefined,
  more: Readonly<Record<string, T>>,
  { most, what }: { readonly most: number; readonly what: string } = VALUES,
) {
  const all = { ...known, ...more }
  if (Object.keys(all).length > most) throw new BadRow(`more than ${most} ${what}`)
  return all
}
