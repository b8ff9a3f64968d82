import type { CatalogProduct } from './products.ts'

type Expects = (product: CatalogProduct) => boolean

/** Families of the real products, which have no category, by patterns of their titles. */
const REAL_FAMILIES: Readonly<Record<string, { is: RegExp; not?: RegExp }>> = {
  keyboard: {
    is: /\bkeyboard/i,
    not: /cover|cable|skin|kvm|adapter|extension|converter|\btray|drawer|key ?pad|rest/i,
  },
  mouse: {
    is: /\b(mouse|mice)\b/i,
    not: /\bpads?\b|rest|cable|kvm|adapter|extension|keyboard|\bmat\b|surface|converter/i,
  },
  notebook: {
    is: /\b(notebook|laptop|chromebook|netbook|ultrabook)\b/i,
    not: /\bspare|case\b|lock|bag|sleeve|cover|stand|battery|adapter|charger|dock|backpack|cooler|cart|memory|module|drive|mount|keyboard|privacy|filter|briefcase|skin|trolley|security/i,
  },
  tv: {
    is: /\b(flat )?tv\b|television/i,
    not: /mount|bracket|stand|headphone|cable|tuner|adapter|remote|antenna|splitter|box|receiver|software|dvd|amplifier|switch|hdspider|stick|cart|outlet|power/i,
  },
  'aa-battery': { is: /\bAA\b.*batter|batter.*\bAA\b|\b(LR6|HR6|FR6)\b/i, not: /charger/i },
  'hdmi-cable': {
    is: /hdmi.*\bcable\b|\bcable\b.*hdmi/i,
    not: /kvm|extender|transmitter|switch|splitter/i,
  },
  headset: { is: /headset/i, not: /adapter|cable|connector|cushion|charger|stand|case|extension/i },
  headphones: {
    is: /headphone|earphone|ear ?buds|headset/i,
    not: /adapter|cable|connector|cushion|extension|stand/i,
  },
  projector: {
    is: /projector\b/i,
    not: /lamp|mount|screen|bulb|bracket|ceiling|case|bag|lens|filter|remote|cable|manager|accessory/i,
  },
}

/** Whether a product is of a family. The ids of demo products begin with their family. */
function isOf(family: string): Expects {
  const real = REAL_FAMILIES[family]
  return ({ id, name }) =>
    id.startsWith(`${family}-`) || (real?.is.test(name) === true && !real.not?.test(name))
}

const OPERATORS: Readonly<Record<string, (found: string, wanted: string) => boolean>> = {
  '=': (found, wanted) => found === wanted,
  '!=': (found, wanted) => found !== wanted,
  '^=': (found, wanted) => found.startsWith(wanted),
  '*=': (found, wanted) => found.includes(wanted),
}

/**
 * A field of the product, else its facet, attribute or number of that name; empty if it has none.
 */
function fieldOf(product: CatalogProduct, name: string): string {
  if (name === 'inStock') return String(product.vendors.some(({ inStock }) => inStock))
  const { facets, attributes, filters } = product
  const own = (product as unknown as Readonly<Record<string, unknown>>)[name]
  return String(own ?? facets[name] ?? attributes?.[name] ?? filters[name] ?? '')
}

function conditionOf(text: string): Expects {
  const [, name, operator, value] = /^([^=!^*]+)(=|!=|\^=|\*=)(.+)$/.exec(text) ?? []
  if (name === undefined) throw new Error(`${text}: no condition such as Color=Blue`)
  const compare = OPERATORS[operator!]!
  return (product) => compare(fieldOf(product, name), value!)
}

function alternativeOf(text: string): Expects {
  const [family = '', ...conditions] = text.split(';').map((part) => part.trim())
  const all = [isOf(family), ...conditions.map(conditionOf)]
  return (product) => all.every((holds) => holds(product))
}

export const NOTHING = 'nothing'

/**
 * Parses what a query expects: a family and conditions on its products (`notebook; Memory=16 GB`),
 * with alternatives separated by `|`. `nothing` means that the catalog has no such product.
 */
export function expectationOf(text: string): Expects {
  if (text === NOTHING) return () => false
  const alternatives = text.split('|').map((part) => alternativeOf(part.trim()))
  return (product) => alternatives.some((holds) => holds(product))
}
