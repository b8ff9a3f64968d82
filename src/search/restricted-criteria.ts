import { Forbidden } from '../errors.ts'
import type { Caller, HideableField } from '../operation.ts'
import { isOfAnnotations } from '../products/criteria.ts'
import type { Viewer } from '../products/view.ts'
import type { Criteria } from './criteria.ts'
import type { Facets } from './read-facets.ts'

const conditionsIn = ({ wanted, excluded, boosted }: Criteria) => [
  ...wanted,
  ...excluded,
  ...boosted,
]

/** A search key travels in web pages: nobody finds by what people noted with it. Throws Forbidden. */
export function refuseRestricted(
  criteria: Criteria,
  { keyType }: Pick<Caller, 'keyType'>,
): Criteria {
  if (keyType !== 'search') return criteria
  if (criteria.hidden) throw new Forbidden('A key of type search may not use hidden.')
  if (criteria.explain) throw new Forbidden('A key of type search may not use explain.')
  const hidden = conditionsIn(criteria).find(({ type }) => isOfAnnotations(type))
  if (!hidden && criteria.sort !== 'favorite') return criteria
  const what = hidden ? `criteria of type ${hidden.type}` : 'the sort favorite'
  throw new Forbidden(`A key of type search may not use ${what}.`)
}

/** What a key may not see, by what it may not use. */
interface Hidden {
  readonly price: HideableField | undefined
  readonly vendor: HideableField | undefined
}

/** What is hidden, and the price list that is shown in place of other prices. */
type Shown = Pick<Viewer, 'hide' | 'prices'>

/**
 * Without costs and vendors, the price is the general one, which is no vendor's offer. That of a
 * list is shown to callers who search by it.
 */
function hiddenBy({ hide = [], prices }: Shown): Hidden {
  const hidden = (field: HideableField) => (hide.includes(field) ? field : undefined)
  const vendor = hidden('vendors.vendorName')
  if (prices) return { vendor, price: undefined }
  return { vendor, price: hidden('msrp') ?? (vendor ? undefined : hidden('vendors.cost')) }
}

/** Criteria as a key may use them: nobody finds or sorts by what it may not see. Throws Forbidden. */
export function refuseHidden(criteria: Criteria, shown: Shown = {}): Criteria {
  const { hide = [], prices = null } = shown
  const { price, vendor } = hiddenBy(shown)
  const { facetSearch, sort } = criteria
  const refuse = (field: HideableField, what: string) => {
    throw new Forbidden(`This key may not see ${field}, and so may not use ${what}.`)
  }
  if (price) {
    if (criteria.price) refuse(price, 'lowPrice and highPrice')
    if (sort === 'price' || sort === '-price') refuse(price, `the sort ${sort}`)
  }
  if (vendor) {
    if (conditionsIn(criteria).some(({ type }) => type === 'vendor')) {
      refuse(vendor, 'vendors and criteria of type vendor')
    }
    if (facetSearch?.type === 'vendor') refuse(vendor, 'facetSearch of type vendor')
  }
  const byListPrice = prices !== null || hide.includes('vendors.cost')
  return byListPrice ? { ...criteria, prices, byListPrice } : criteria
}

/** Facets without those of what a key may not see. */
export function shownFacets(facets: Facets, shown: Shown): Facets {
  const { price, vendor } = hiddenBy(shown)
  return {
    ...facets,
    ...(price ? { prices: { min: null, max: null } } : {}),
    ...(vendor ? { vendors: new Map() } : {}),
  }
}
