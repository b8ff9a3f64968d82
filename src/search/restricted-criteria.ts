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

/** Rejects what public search keys may not use, such as annotations. Throws Forbidden. */
export function refuseRestricted(
  criteria: Criteria,
  { keyType }: Pick<Caller, 'keyType'>,
): Criteria {
  if (keyType !== 'search') return criteria
  if (criteria.hidden) throw new Forbidden('A key of type search cannot use hidden.')
  if (criteria.explain) throw new Forbidden('A key of type search cannot use explain.')
  const hidden = conditionsIn(criteria).find(({ type }) => isOfAnnotations(type))
  if (!hidden && criteria.sort !== 'favorite') return criteria
  const what = hidden ? `criteria of type ${hidden.type}` : 'the sort favorite'
  throw new Forbidden(`A key of type search cannot use ${what}.`)
}

/** The hidden field because of which a key may not use the price or the vendor. */
type Hidden = Readonly<Record<'price' | 'vendor', HideableField | undefined>>

/** The hidden fields, and the price list that replaces other prices. */
type Shown = Pick<Viewer, 'hide' | 'prices'>

/**
 * If costs and vendors are hidden, the price is the general one, which reveals no offer. List
 * prices are shown to callers who search by them.
 */
function hiddenBy({ hide = [], prices }: Shown): Hidden {
  const hidden = (field: HideableField) => (hide.includes(field) ? field : undefined)
  const vendor = hidden('vendors.vendorName')
  if (prices) return { vendor, price: undefined }
  return { vendor, price: hidden('msrp') ?? (vendor ? undefined : hidden('vendors.cost')) }
}

/** Rejects criteria and sorts on fields that the key may not see. Throws Forbidden. */
export function refuseHidden(criteria: Criteria, shown: Shown = {}): Criteria {
  const { hide = [], prices = null } = shown
  const { price, vendor } = hiddenBy(shown)
  const { facetSearch, sort } = criteria
  const refuse = (field: HideableField, what: string) => {
    throw new Forbidden(`This key cannot see ${field}, and therefore cannot use ${what}.`)
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

/** Facets without prices and vendors that a key may not see. */
export function shownFacets(facets: Facets, shown: Shown): Facets {
  const { price, vendor } = hiddenBy(shown)
  return {
    ...facets,
    ...(price ? { prices: { min: null, max: null } } : {}),
    ...(vendor ? { vendors: new Map() } : {}),
  }
}
