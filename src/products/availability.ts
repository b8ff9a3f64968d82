import { fold } from '../text.ts'
import type { Product } from './product.ts'

/** Folded status texts of vendors and manufacturers for discontinued products. */
const DISCONTINUED = new Set([
  ...['discontinued', 'end of life', 'eol', 'end of sale', 'obsolete', 'no longer available'],
  ...['retired', 'abgekundigt', 'ausgelaufen', 'eingestellt', 'nicht mehr lieferbar'],
  ...['nicht mehr verfugbar', 'arrete', 'descatalogado', 'fuori produzione', 'niet meer leverbaar'],
])

/** Attributes and facets whose values are such status texts. Those in SAYS_IT are yes or no. */
const SAYS_STATUS = new Set([
  ...['status', 'product status', 'lifecycle', 'lifecycle status', 'life cycle status'],
  ...['availability', 'produktstatus', 'verfugbarkeit'],
])
const SAYS_IT = new Set(['discontinued', 'end of life', 'obsolete', 'ausgelaufen'])
const YES = new Set(['yes', 'y', 'true', 'ja'])

/**
 * Whether a product is discontinued according to all its offers, or to an attribute or a facet.
 * Products in stock are never discontinued.
 */
export function isDiscontinued({ vendors, attributes, facets }: Product): boolean {
  if (vendors.some(({ inStock }) => inStock)) return false
  const everyOffer =
    vendors.length > 0 && vendors.every(({ status }) => DISCONTINUED.has(fold(status ?? '')))
  return everyOffer || [attributes, facets].some(saysSo)
}

const saysSo = (named: Readonly<Record<string, string>>): boolean =>
  Object.entries(named).some(([name, value]) => {
    const key = fold(name)
    return (
      (SAYS_STATUS.has(key) && DISCONTINUED.has(fold(value))) ||
      (SAYS_IT.has(key) && YES.has(fold(value)))
    )
  })
