import { BadRow } from '../../formats/rows/mapped-row.ts'
import type { OfferChange, RowChange } from '../../formats/rows/row-change.ts'
import { limits } from '../../limits.ts'
import { type ChangeStamp, emptyProduct, nextDocument } from '../../products/next-document.ts'
import { applyPatch, changedFields } from '../../products/patch.ts'
import type { Offer, Product, ProductDocument } from '../../products/product.ts'
import { catalogLinks } from '../../products/view.ts'
import type { Applied } from './draft.ts'
import { type Marking, markAfter, outcomeBefore } from './import-mark.ts'

/** What became of one row, or why it was rejected. */
export type RowOutcome = 'created' | 'updated' | 'unchanged' | BadRow

export interface ApplyOptions {
  readonly catalog: string
  /** Whose annotations are no catalog data in what it exported before. */
  readonly organization: string
  readonly createProducts: boolean
  readonly updateMetadata: boolean
  readonly stamp: ChangeStamp
  readonly now: Date
  /** Absent where nothing is written in the end. */
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
): Applied<RowOutcome> {
  return existing ? update(existing, rows, options) : create(id, rows, options)
}

function create(
  id: string,
  rows: readonly RowChange[],
  options: ApplyOptions,
): Applied<RowOutcome> {
  if (!options.createProducts) {
    const reason = new BadRow('there is no such product, and createProducts is false')
    return { document: undefined, outcomes: rows.map(() => reason) }
  }
  const { catalog, stamp, now, marking } = options
  let product = emptyProduct({ id, catalog, actor: stamp.actor, now })
  let created = false
  const outcomes = rows.map((row): RowOutcome => {
    if (row.action && !created) return new BadRow('there is no such product')
    const next = attempt(product, row, true)
    if (next instanceof BadRow) return next
    const outcome = !created ? 'created' : differs(product, next) ? 'updated' : 'unchanged'
    created = true
    product = next
    return outcome
  })
  if (!created) return { document: undefined, outcomes }
  const imported = marking && markAfter(undefined, marking, { ...marking, outcomes })
  const document = { product, annotations: {}, pending: [], ...(imported ? { imported } : {}) }
  return { document, outcomes }
}

function update(
  existing: ProductDocument,
  rows: readonly RowChange[],
  { organization, updateMetadata, stamp, now, marking }: ApplyOptions,
): Applied<RowOutcome> {
  let { product } = existing
  const done = rows.map(
    (_, at) => marking && outcomeBefore(existing.imported, marking, marking.numbers[at]!),
  )
  const outcomes = rows.map((row, at): RowOutcome => {
    const next = attempt(product, withOwnLinks(row, existing, organization), updateMetadata)
    if (next instanceof BadRow) return next
    if (done[at]) return done[at]
    const outcome = differs(product, next) ? 'updated' : 'unchanged'
    product = next
    return outcome
  })
  const imported = marking
    ? markAfter(existing.imported, marking, { ...marking, outcomes })
    : existing.imported
  const document = nextDocument(
    existing,
    { ...existing, product, ...(imported ? { imported } : {}) },
    { stamp, now, unlogged: ['vendors'] },
  )
  if (document) return { document, outcomes }
  // Rows that take each other back leave nothing to write.
  return {
    document,
    outcomes: outcomes.map((outcome, at) =>
      outcome === 'updated' && !done[at] ? 'unchanged' : outcome,
    ),
  }
}

/** A product as the interface shows it has links that the organization added. */
function withOwnLinks(row: RowChange, existing: ProductDocument, organization: string): RowChange {
  const { links } = row.patch
  if (!links) return row
  return { ...row, patch: { ...row.patch, links: catalogLinks(links, existing, organization) } }
}

const differs = (before: Product, after: Product): boolean =>
  changedFields(before, after).length > 0

function attempt(product: Product, row: RowChange, metadata: boolean): Product | BadRow {
  try {
    if (row.refused !== undefined) return new BadRow(row.refused)
    if (row.action === 'withdraw') return withoutOffers(product, row.offers)
    return withOffers(metadata ? withCatalogData(product, row) : product, row.offers)
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
    ...(row.options ? { options: optionsAfter(product, row.options) } : {}),
  })
}

function added<T>(known: Readonly<Record<string, T>>, more: Readonly<Record<string, T>>) {
  const all = { ...known, ...more }
  if (Object.keys(all).length > limits.productAttributes) {
    throw new BadRow(`more than ${limits.productAttributes} attributes, facets or filters`)
  }
  return all
}

function optionsAfter({ options = {} }: Product, more: Readonly<Record<string, string>>) {
  const all = { ...options, ...more }
  if (Object.keys(all).length > limits.productOptions) {
    throw new BadRow(`more than ${limits.productOptions} options`)
  }
  return all
}

function withOffers(product: Product, changes: readonly OfferChange[]): Product {
  if (changes.length === 0) return product
  const vendors = [...product.vendors]
  for (const change of changes) {
    const at = vendors.findIndex(({ vendorName }) => vendorName === change.vendorName)
    if (at === -1) vendors.push(offerAfter(NOTHING, change))
    else vendors[at] = offerAfter(vendors[at]!, change)
  }
  if (vendors.length > limits.productOffers) {
    throw new BadRow(`more than ${limits.productOffers} vendors`)
  }
  return { ...product, vendors }
}

function withoutOffers(product: Product, changes: readonly OfferChange[]): Product {
  const gone = new Set(changes.map(({ vendorName }) => vendorName))
  const vendors = product.vendors.filter(({ vendorName }) => !gone.has(vendorName))
  return { ...product, vendors }
}

const NOTHING: Offer = {
  cost: null,
  onHand: null,
  inStock: false,
  vendorPartNumber: null,
  vendorName: '',
  status: null,
  name: null,
}

/** What a change leaves out stays; a count without a word about stock says it itself. */
function offerAfter(offer: Offer, change: OfferChange): Offer {
  const { onHand } = change
  const counted = onHand === undefined || onHand === null ? {} : { inStock: onHand > 0 }
  return { ...offer, ...counted, ...change }
}
