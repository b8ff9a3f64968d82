import fc from 'fast-check'
import type { OracleRequest } from './search-oracle.ts'

const MANUFACTURERS = ['Xerox', 'Quill', 'Ümlaut', 'Vega']
const VENDORS = ['Delta', 'Ωmega', 'Kappa']
const WORDS = ['toner', 'cable', 'laptop', 'monitor', 'ink', 'battery', 'weiß', 'größe', 'café']
/** The same words in other spellings. */
const TYPED = ['WEISS', 'grosse', 'GRÖSSE', 'Cafe', 'TONER']
const FACETS = { colour: ['black', 'weiß', 'grün'], size: ['huge', 'zero'], rare: ['yes'] }
const MATERIALS = ['oak', 'chêne massif']
const NUMBERS = ['weight', 'height']
const PARTS = ['AB-123', 'AB 123/4', 'x9-0007', 'LJ.55', 'GG_1000', '5555-7']
const CODES = ['43211503', '43211500', '43222600', '44103103']
const TAGS = ['urgent', 'later']

const one = (values: readonly string[]) => fc.constantFrom(...values)
const maybe = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: undefined, freq: 2 })
const price = fc.integer({ min: 1, max: 9 })
const words = fc.array(one(WORDS), { minLength: 1, maxLength: 3 }).map((list) => list.join(' '))
const some = <T>(record: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(record, { requiredKeys: [] })

const offer = fc.record(
  { vendorName: one(VENDORS), cost: price, inStock: fc.boolean(), vendorPartNumber: one(PARTS) },
  { requiredKeys: ['vendorName'] },
)

const added = some({
  favorite: fc.boolean(),
  favoriteUsers: fc.subarray(['administrator', 'viewer']),
  tags: fc.subarray(TAGS),
  userTags: fc.subarray(TAGS).map((tags) => ({ viewer: tags })),
  extensionFields: fc.constantFrom([], [{ extensionId: 'erp', key: 'group', value: 'A' }]),
})

/** A product without an id; many fields are absent. */
export const randomProduct = some({
  name: fc.oneof(
    words,
    words.map((text) => text.toUpperCase()),
  ),
  description: words,
  manufacturer: one(MANUFACTURERS),
  manufacturerPartNumber: one(PARTS),
  segment: one(['paper', 'metal']),
  category: one(['chairs', 'desks', 'lamps']),
  subCategory: one(['round', 'square']),
  unspsc: one(CODES),
  msrp: price,
  upcs: fc.constantFrom(['00123456']),
  lastUpdated: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'),
  attributes: some({ material: one(MATERIALS) }),
  facets: some({ colour: one(FACETS.colour), size: one(FACETS.size), rare: one(FACETS.rare) }),
  filters: some({ weight: price, height: price }),
  vendors: fc.uniqueArray(offer, { maxLength: 3, selector: ({ vendorName }) => vendorName }),
  annotations: added,
})

const criterion = fc.oneof(
  fc.record({ type: fc.constant('manufacturer'), value: one(MANUFACTURERS) }),
  fc.record({ type: fc.constant('vendor'), value: one([...VENDORS, 'Nobody']) }),
  fc.record({ type: fc.constant('segment'), value: one(['paper', 'metal', 'none']) }),
  fc.record({ type: fc.constant('category'), value: one(['chairs', 'lamps']) }),
  fc.record({ type: fc.constant('subCategory'), value: one(['round']) }),
  fc.record({
    type: fc.constant('categoryPath'),
    value: one(['paper', 'metal > lamps', 'paper > chairs > round', 'desks', 'met']),
  }),
  fc.record({ type: fc.constant('tag'), value: one(TAGS) }),
  fc.record({ type: fc.constant('unspsc'), value: one([...CODES, '43000000', '43210000']) }),
  fc.record({ type: fc.constant('partNumber'), value: one(['ab123', 'X9 0007', 'p3', '123456']) }),
  fc.record({
    type: fc.constant('attribute'),
    name: fc.constant('material'),
    value: one(MATERIALS),
  }),
  fc.record({ type: fc.constant('facet'), name: fc.constant('colour'), value: one(FACETS.colour) }),
  fc.record({
    type: fc.constant('facet'),
    name: fc.constant('size'),
    value: one([...FACETS.size, 'none']),
  }),
  fc.constant({ type: 'extensionField', name: 'erp/group', value: 'A' }),
  fc.record({ type: fc.constant('favorite'), value: one(['user', 'company']) }),
  fc.record({
    type: fc.constant('keyword'),
    value: one([...WORDS, ...TYPED, 'ab123', 'toner cable', '55 55 7']),
  }),
)

/** Words and parts of part numbers, any of which may be repeated. */
const PIECES = ['absent', 'ab', '123', 'ab1234', 'lj', '55', '55 55 7', '1000', 'x9-0007']

const criteria = (maxLength: number) => maybe(fc.array(criterion, { minLength: 1, maxLength }))
const keywords = fc
  .array(one([...WORDS, ...TYPED, ...PIECES]), { minLength: 1, maxLength: 4 })
  .map((list) => list.join(' '))

const range = fc.tuple(price, price).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
/** A request with any combination of fields. */
export const randomWish: fc.Arbitrary<OracleRequest> = fc
  .record({
    keywords: fc.option(keywords, { nil: undefined, freq: 1 }),
    inStock: maybe(fc.boolean()),
    ends: fc.constantFrom('', '', 'low', 'high', 'both'),
    prices: range,
    manufacturer: maybe(fc.uniqueArray(one(MANUFACTURERS), { minLength: 1, maxLength: 2 })),
    vendors: maybe(fc.uniqueArray(one(VENDORS), { minLength: 1, maxLength: 2 })),
    segment: fc.option(one(['paper', 'metal', 'none']), { nil: undefined, freq: 1 }),
    category: fc.option(one(['chairs', 'desks']), { nil: undefined, freq: 1 }),
    must: criteria(2),
    exclude: criteria(1),
    boost: criteria(3),
    filters: maybe(
      fc.array(
        fc
          .tuple(one([...NUMBERS, 'length']), range, fc.constantFrom('', 'min', 'max', 'both'))
          .map(([name, [low, high], which]) => ({
            name,
            ...(['min', 'both'].includes(which) ? { min: low } : {}),
            ...(['max', 'both'].includes(which) ? { max: high } : {}),
          })),
        { minLength: 1, maxLength: 2 },
      ),
    ),
    facetSearch: fc.record({
      type: fc.constantFrom('facet' as const, 'attribute' as const),
      name: one(['colour', 'material']),
      text: one(['', 'e', 'WEISS', 'iß', 'GRU', 'ack', 'chene', 'Ê', 'ak']),
    }),
    sort: maybe(
      one(['relevance', 'price', '-price', 'name', '-name', 'updated', 'favorite', 'popularity']),
    ),
  })
  .map(({ ends, prices: [low, high], ...rest }) => ({
    ...(ends === 'low' || ends === 'both' ? { lowPrice: low } : {}),
    ...(ends === 'high' || ends === 'both' ? { highPrice: high } : {}),
    ...(Object.fromEntries(
      Object.entries(rest).filter(([, value]) => value !== undefined),
    ) as OracleRequest),
  }))
