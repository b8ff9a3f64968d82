import type { Sketch } from './catalog.ts'

/** The part of a search request that the oracle understands. */
export interface OracleRequest {
  keywords?: string
  inStock?: boolean
  lowPrice?: number
  highPrice?: number
  manufacturer?: string[]
  vendors?: string[]
  segment?: string
  category?: string
  subCategory?: string
  must?: Criterion[]
  exclude?: Criterion[]
  boost?: Criterion[]
  filters?: { name: string; min?: number; max?: number }[]
  sort?: string
  facetSearch?: { type: 'facet' | 'attribute'; name: string; text: string }
}

interface Criterion {
  type: string
  name?: string
  value: string
}

export interface Who {
  organization: string
  username: string
}

type Facet = string

const fits = (value: number | undefined, low?: number, high?: number): boolean =>
  value !== undefined &&
  (low === undefined || value >= low) &&
  (high === undefined || value <= high)

interface PlainOffer {
  vendor?: string
  price?: number
  inStock: boolean
}

/**
 * Offers of a product. If none has a cost, each has the msrp as price. A product without offers has
 * its msrp as price, no vendor, and is not in stock.
 */
function offersOf({ vendors = [], msrp }: Sketch): PlainOffer[] {
  if (vendors.length === 0) return msrp == null ? [] : [{ price: msrp, inStock: false }]
  const someCost = vendors.some(({ cost }) => cost != null)
  return vendors.map(({ vendorName, cost, inStock = false }) => {
    const price = someCost ? cost : msrp
    return { vendor: vendorName, inStock: inStock ?? false, ...(price == null ? {} : { price }) }
  })
}

/** Lower case without accents, for comparing words and names. */
const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')

const normal = (text: string): string => plain(text).replace(/[^a-z0-9]/g, '')

function partNumbers(product: Sketch): string[] {
  const numbers = [
    product.id,
    product.manufacturerPartNumber,
    ...(product.vendors ?? []).map((offer) => offer.vendorPartNumber),
    ...(product.upcs ?? []),
  ]
  return numbers.filter((text) => text != null).flatMap((text) => forms(text!))
}

/** Part numbers are compared without punctuation, with and without leading zeros. */
const forms = (text: string): string[] => [normal(text), normal(text).replace(/^0+(?=.)/, '')]

function tokensOf(product: Sketch): Set<string> {
  const texts = [
    product.name,
    product.description,
    product.manufacturer,
    product.segment,
    product.category,
    product.subCategory,
    ...Object.values(product.attributes ?? {}),
    ...Object.values(product.facets ?? {}),
  ]
  return new Set(texts.flatMap((text) => plain(text ?? '').split(/\s+/)))
}

/** Number of distinct words in a request. */
const asked = (words: readonly string[]): number => new Set(words.map(plain)).size

/**
 * Number of distinct words that a product contains, by themselves or as a run within a part number.
 */
function wordsHad(product: Sketch, words: string[]): number {
  const tokens = tokensOf(product)
  const numbers = partNumbers(product)
  const within = (form: string, least: number) =>
    /\d/.test(form) && form.length >= least && numbers.some((number) => number.includes(form))
  const had = words.filter((word, at) => {
    if (tokens.has(plain(word)) || within(normal(word), 3)) return true
    for (let first = Math.max(0, at - 3); first <= at; first++) {
      for (let end = at + 1; end <= Math.min(words.length, first + 4); end++) {
        if (end - first >= 2 && within(normal(words.slice(first, end).join('')), 4)) return true
      }
    }
    return false
  })
  return asked(had)
}

function holds({ type, name, value }: Criterion, product: Sketch, who: Who): boolean {
  const added = product.annotations?.[who.organization]
  switch (type) {
    case 'manufacturer':
    case 'segment':
    case 'category':
    case 'subCategory':
      return product[type] === value
    case 'categoryPath': {
      const levels = [product.segment, product.category, product.subCategory].filter(Boolean)
      return `${levels.join(' > ')} > `.startsWith(`${value} > `)
    }
    case 'vendor':
      return (product.vendors ?? []).some((offer) => offer.vendorName === value)
    case 'attribute':
      return product.attributes?.[name!] === value
    case 'facet':
      return product.facets?.[name!] === value
    case 'partNumber':
      return partNumbers(product).some((number) => forms(value).includes(number))
    case 'groupId':
      return product.groupId === value
    case 'unspsc':
      return product.unspsc?.startsWith(value.replace(/(00)+$/, '')) ?? false
    case 'tag':
      return [...(added?.tags ?? []), ...(added?.userTags?.[who.username] ?? [])].includes(value)
    case 'favorite':
      return value === 'company'
        ? (added?.favorite ?? false)
        : (added?.favoriteUsers ?? []).includes(who.username)
    case 'extensionField':
      return (added?.extensionFields ?? []).some(
        (field) => `${field.extensionId}/${field.key}` === name && field.value === value,
      )
    case 'keyword': {
      const words = value.split(' ')
      return wordsHad(product, words) === asked(words)
    }
    default:
      throw new Error(type)
  }
}

interface Alternatives {
  facet: Facet | null
  anyOf: Criterion[]
}

const facetOf = ({ type, name }: Criterion): Facet | null => {
  if (type === 'manufacturer' || type === 'vendor') return type
  if (['segment', 'category', 'subCategory', 'categoryPath'].includes(type)) return 'path'
  return type === 'facet' ? `facet ${name}` : null
}

function wantedBy(wish: OracleRequest): Alternatives[] {
  const field = (type: string, values: string[]) => values.map((value) => ({ type, value }))
  const fields = [
    field('manufacturer', wish.manufacturer ?? []),
    field('vendor', wish.vendors ?? []),
    ...(['segment', 'category', 'subCategory'] as const).map((type) =>
      field(type, wish[type] === undefined ? [] : [wish[type]!]),
    ),
  ]
  const kinds = [...new Set((wish.must ?? []).map(({ type, name }) => `${type}|${name}`))]
  const musts = kinds.map((kind) =>
    (wish.must ?? []).filter(({ type, name }) => `${type}|${name}` === kind),
  )
  return [...fields, ...musts]
    .filter((anyOf) => anyOf.length > 0)
    .map((anyOf) => ({ facet: facetOf(anyOf[0]!), anyOf }))
}

/** A request without its selections in one facet. */
function without(wish: OracleRequest, facet: Facet | undefined): OracleRequest {
  if (facet === undefined) return wish
  const rest: OracleRequest = {
    ...wish,
    must: (wish.must ?? []).filter((one) => facetOf(one) !== facet),
  }
  if (facet === 'manufacturer') delete rest.manufacturer
  if (facet === 'vendor') delete rest.vendors
  if (facet === 'path') {
    delete rest.segment
    delete rest.category
    delete rest.subCategory
  }
  if (facet === 'price') {
    delete rest.lowPrice
    delete rest.highPrice
  }
  if (facet.startsWith('number ')) {
    rest.filters = (wish.filters ?? []).filter(({ name }) => `number ${name}` !== facet)
  }
  return rest
}

/** The complete semantics of a request, applied product by product. */
export class Oracle {
  readonly products: readonly Sketch[]
  readonly who: Who

  constructor(products: readonly Sketch[], who: Who) {
    this.products = products
    this.who = who
  }

  find(wish: OracleRequest): Sketch[] {
    const words = wish.keywords?.split(/\s+/).filter((word) => word !== '') ?? []
    const least = this.leastWords(wish, words)
    return this.products.filter(
      (product) => wordsHad(product, words) >= least && this.fitsAll(product, wish),
    )
  }

  /**
   * Minimum of words to match: all, or fewer if no product has all even without facet selections.
   */
  private leastWords(wish: OracleRequest, words: string[]): number {
    const facets = ['manufacturer', 'vendor', 'path', 'price']
    const named = [
      ...(wish.must ?? []).map((one) => facetOf(one) ?? ''),
      ...(wish.filters ?? []).map(({ name }) => `number ${name}`),
    ]
    const open = [...facets, ...named].reduce(without, wish)
    const all = this.products.some(
      (product) => wordsHad(product, words) === asked(words) && this.fitsAll(product, open),
    )
    const count = asked(words)
    return all || count === 0 ? count : Math.max(1, Math.floor(count * 0.6))
  }

  private fitsAll(product: Sketch, wish: OracleRequest): boolean {
    const { lowPrice: low, highPrice: high } = wish
    const priced = low !== undefined || high !== undefined
    const offers = offersOf(product).filter(
      (offer) => (!wish.inStock || offer.inStock) && (!priced || fits(offer.price, low, high)),
    )
    if ((priced || wish.inStock) && offers.length === 0) return false
    for (const { facet, anyOf } of wantedBy(wish)) {
      const good =
        facet === 'vendor'
          ? offers.some(({ vendor }) => anyOf.some(({ value }) => value === vendor))
          : anyOf.some((one) => holds(one, product, this.who))
      if (!good) return false
    }
    for (const { name, min, max } of wish.filters ?? []) {
      if (!fits(product.filters?.[name], min, max)) return false
    }
    return !(wish.exclude ?? []).some((one) => holds(one, product, this.who))
  }

  /** The price that a product is sorted by: the lowest of its matching offers. */
  price(product: Sketch, wish: OracleRequest): number | undefined {
    const { lowPrice: low, highPrice: high } = wish
    const prices = this.offersBy(product, wish).filter((price) => fits(price, low, high))
    return prices.length === 0 ? undefined : Math.min(...prices)
  }

  private offersBy(product: Sketch, wish: OracleRequest): number[] {
    const vendors = wantedBy(wish)
      .filter(({ facet }) => facet === 'vendor')
      .flatMap(({ anyOf }) => anyOf.map(({ value }) => value))
    return offersOf(product)
      .filter(({ inStock }) => !wish.inStock || inStock)
      .filter(({ vendor }) => vendors.length === 0 || vendors.includes(vendor ?? ''))
      .flatMap(({ price }) => (price === undefined ? [] : [price]))
  }

  /** Ids in the order of the request; null if relevance to words decides it. */
  order(wish: OracleRequest): string[] | null {
    const sort = wish.sort ?? 'relevance'
    if (sort === 'relevance' && wish.keywords) return null
    const by = this.keyOf(sort, wish)
    return this.find(wish)
      .toSorted((a, b) => compare(by(a), by(b)) || compare([a.id], [b.id]))
      .map(({ id }) => id)
  }

  private keyOf(sort: string, wish: OracleRequest): (product: Sketch) => Key {
    const folded = ({ name }: Sketch) => (name == null ? null : plain(name))
    const name = (product: Sketch): Key => [folded(product)]
    const last = Number.POSITIVE_INFINITY
    switch (sort) {
      case 'price':
        return (product) => [this.price(product, wish) ?? last]
      case '-price':
        return (product) => [-(this.price(product, wish) ?? -last)]
      case '-name':
        return (product) => [descending(folded(product))]
      case 'name':
        return name
      case 'updated':
        return (product) => [-Date.parse(product.lastUpdated!)]
      case 'favorite':
        return (product) => {
          const is = (value: string) => holds({ type: 'favorite', value }, product, this.who)
          return [is('user') ? 0 : is('company') ? 1 : 2, ...name(product)]
        }
      // No choices were reported here, so popularity depends on stock only.
      case 'popularity':
        return (product) => {
          const isThere = offersOf(product).some(({ inStock }) => inStock)
          return [isThere ? 0 : 1, ...name(product)]
        }
      default: {
        const kinds = new Set((wish.boost ?? []).map((one) => `${one.type}|${one.name}`))
        const lifted = (product: Sketch) =>
          [...kinds].filter((kind) =>
            wish.boost!.some(
              (one) => `${one.type}|${one.name}` === kind && holds(one, product, this.who),
            ),
          ).length
        return (product) => [-lifted(product), ...name(product)]
      }
    }
  }

  /** Number of products that match if `chosen` is the only selection in a facet. */
  private totals(
    wish: OracleRequest,
    facet: Facet,
    values: Iterable<string>,
    of: (value: string) => OracleRequest,
  ) {
    const open = without(wish, facet)
    const counts: Record<string, number> = {}
    for (const value of values) {
      const chosen = of(value)
      const must = [...(open.must ?? []), ...(chosen.must ?? [])]
      const total = this.find({ ...open, ...chosen, must }).length
      if (total > 0) counts[value] = total
    }
    return counts
  }

  private valuesOf(of: (product: Sketch) => readonly (string | null | undefined)[]): Set<string> {
    return new Set(this.products.flatMap(of).filter((value) => value != null) as string[])
  }

  private selected(wish: OracleRequest, type: string, name?: string): string[] {
    const excluded = (wish.exclude ?? [])
      .filter((one) => one.type === type && one.name === name)
      .map(({ value }) => value)
    return wantedBy(wish)
      .flatMap(({ anyOf }) => anyOf)
      .filter((one) => one.type === type && one.name === name)
      .map(({ value }) => value)
      .filter((value) => !excluded.includes(value))
  }

  private listed(wish: OracleRequest, counts: Record<string, number>, type: string, name?: string) {
    const zeros = this.selected(wish, type, name).map((value) => [value, 0] as const)
    return { ...Object.fromEntries(zeros), ...counts }
  }

  manufacturers(wish: OracleRequest) {
    const values = this.valuesOf(({ manufacturer }) => [manufacturer])
    const counts = this.totals(wish, 'manufacturer', values, (value) => ({ manufacturer: [value] }))
    return this.listed(wish, counts, 'manufacturer')
  }

  vendors(wish: OracleRequest) {
    const values = this.valuesOf(({ vendors = [] }) => vendors.map((offer) => offer.vendorName))
    const counts = this.totals(wish, 'vendor', values, (value) => ({ vendors: [value] }))
    return this.listed(wish, counts, 'vendor')
  }

  segments(wish: OracleRequest) {
    const values = this.valuesOf(({ segment }) => [segment])
    const counts = this.totals(wish, 'path', values, (segment) => ({ segment }))
    return this.listed(wish, counts, 'segment')
  }

  /** Counts of categories by segment; products without a segment count under `''`. */
  categories(wish: OracleRequest) {
    const open = this.find(without(wish, 'path'))
    return tree(open.map(({ segment, category }) => [segment ?? '', category]))
  }

  subCategories(wish: OracleRequest) {
    const open = this.find(without(wish, 'path'))
    return tree(open.map(({ category, subCategory }) => [category ?? '', subCategory]))
  }

  facets(wish: OracleRequest) {
    const wanted = (wish.must ?? []).filter(({ type }) => type === 'facet').map((one) => one.name!)
    const shown = this.find(wish).flatMap(({ facets = {} }) => Object.keys(facets))
    const names = new Set([...wanted, ...shown])
    return Object.fromEntries(
      [...names].map((name) => {
        const values = this.valuesOf(({ facets = {} }) => [facets[name]])
        const counts = this.totals(wish, `facet ${name}`, values, (value) => ({
          must: [{ type: 'facet', name, value }],
        }))
        return [name, this.listed(wish, counts, 'facet', name)]
      }),
    )
  }

  /**
   * Counts of values that contain a text. Attributes are not facets: all selections narrow them.
   */
  found(wish: OracleRequest) {
    const { type, name, text } = wish.facetSearch!
    const named = (product: Sketch) =>
      (type === 'facet' ? product.facets : product.attributes)?.[name]
    const values = [...this.valuesOf((product) => [named(product)])]
    const fitting = values.filter((value) => plain(value).includes(plain(text)))
    const open = this.find(type === 'facet' ? without(wish, `facet ${name}`) : wish)
    const counts = fitting.map((value) => {
      return [value, open.filter((product) => named(product) === value).length] as const
    })
    return Object.fromEntries(counts.filter(([, count]) => count > 0))
  }

  prices(wish: OracleRequest) {
    const open = without(wish, 'price')
    return ends(this.find(open).flatMap((product) => this.offersBy(product, open)))
  }

  numbers(wish: OracleRequest) {
    const shown = this.find(wish).flatMap(({ filters = {} }) => Object.keys(filters))
    const names = new Set([...shown, ...(wish.filters ?? []).map(({ name }) => name)])
    return Object.fromEntries(
      [...names].map((name) => {
        const open = this.find(without(wish, `number ${name}`))
        return [name, ends(open.flatMap(({ filters = {} }) => filters[name] ?? []))]
      }),
    )
  }
}

type Key = (number | string | Descending | null)[]
interface Descending {
  text: string
}

const descending = (text: string | null): Descending | null => (text === null ? null : { text })

/** Compares by code point; absent values come last. */
function compare(a: Key, b: Key): number {
  for (const [at, left] of a.entries()) {
    const right = b[at]!
    if (left === right) continue
    if (left === null) return 1
    if (right === null) return -1
    if (typeof left === 'object' && typeof right === 'object') {
      if (left.text !== right.text) return left.text < right.text ? 1 : -1
    } else if (left !== right) return left < right ? -1 : 1
  }
  return 0
}

const ends = (values: number[]) =>
  values.length === 0
    ? { min: null, max: null }
    : { min: Math.min(...values), max: Math.max(...values) }

function tree(pairs: (readonly [string, string | null | undefined])[]) {
  const counts: Record<string, Record<string, number>> = {}
  for (const [outer, inner] of pairs) {
    if (inner == null) continue
    counts[outer] ??= {}
    counts[outer]![inner] = (counts[outer]![inner] ?? 0) + 1
  }
  return counts
}
