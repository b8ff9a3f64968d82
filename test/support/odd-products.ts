import fc from 'fast-check'
import { limits } from '../../src/limits.ts'

// Control characters, which HTTP rejects before a schema is applied, as unpaired surrogates.
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is taken out
const REFUSED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

const clean = (text: string): string => text.replace(REFUSED, '').toWellFormed()

/** Texts that are difficult for analyzers, normalizers and token limits. */
const pieces = fc.constantFrom(
  ...['-', '--', '/', '"', "'", '.', ',', '%', '#', '*', '?', '\\', '\t', '\r\n', ' ', '\u00a0'],
  ...['\ufdfa', '\u0130', 'ß', 'ﬀ', 'e\u0301', '\u202e', '\u200f', '\u200d', '\ufeff', '\u2028'],
  ...[
    '👩‍👩‍👧',
    '🇨🇭',
    '目录',
    'ア',
    'ก',
    'हि',
    '한',
    '\u{1d11e}',
    '\u2010',
    '\u2212',
    'Ⅷ',
    '½',
    '²',
  ],
  ...['AB-12/x', '0000', '12V', 'Wi-Fi', 'PowerEdge2950', "men's", 'true', 'null', '__proto__'],
)

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 12 })
    .map((all) => all.join('')),
)

/** Text of at most `max` characters, sometimes of exactly that length. */
const oddText = (max: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      { weight: 8, arbitrary: words },
      { weight: 1, arbitrary: words.map((text) => (text || 'x').repeat(max)) },
      { weight: 1, arbitrary: pieces.map((text) => text.repeat(max)) },
    )
    .map((text) => clean(clean(text).slice(0, max)))

const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.option(fc.option(arbitrary, { nil: null }), { nil: undefined })

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(0, -0, 5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, 1e-7),
)
const amount = number.map(Math.abs)

const name = oddText(limits.nameLength)
const named = <T>(value: fc.Arbitrary<T>) =>
  fc
    .array(fc.tuple(name, value), { maxLength: 12 })
    .map((entries) => Object.fromEntries(entries.filter(([key]) => key.trim() !== '')))

const offer = fc.record(
  {
    cost: maybe(amount),
    onHand: maybe(number),
    inStock: maybe(fc.boolean()),
    vendorPartNumber: maybe(name),
    vendorName: name,
    status: maybe(name),
    name: maybe(oddText(limits.productNameLength)),
  },
  { requiredKeys: ['vendorName'] },
)

/** Bodies of Create Product with odd values in every field; a schema may still reject them. */
export const oddBody = fc.record({
  id: maybe(oddText(limits.idLength)),
  description: maybe(oddText(limits.valueLength)),
  manufacturer: maybe(name),
  manufacturerPartNumber: maybe(name),
  name: maybe(oddText(limits.productNameLength)),
  image: maybe(oddText(limits.valueLength)),
  unspsc: maybe(name),
  segment: maybe(name),
  category: maybe(name),
  subCategory: maybe(name),
  msrp: maybe(amount),
  vendors: maybe(fc.array(offer, { maxLength: 6 })),
  attributes: maybe(named(oddText(limits.valueLength))),
  filters: maybe(named(number)),
  facets: maybe(named(oddText(limits.valueLength))),
  links: maybe(
    fc.array(fc.record({ type: maybe(name), value: oddText(limits.valueLength) }), {
      maxLength: 4,
    }),
  ),
  images: maybe(fc.array(fc.record({ url: oddText(limits.valueLength) }), { maxLength: 4 })),
  upcs: maybe(fc.array(name, { maxLength: 4 })),
})

const tags = fc.array(oddText(limits.catalogNameLength), { maxLength: 4 })

/** Annotations that one organization may have added to a product. */
export const oddAnnotations = fc.record({
  favorite: fc.boolean(),
  favoriteUsers: fc.array(name, { maxLength: 3 }),
  tags,
  userTags: fc.dictionary(name, tags, { maxKeys: 3 }),
  notes: fc.constant([]),
  extensionFields: fc.array(
    fc.record({ extensionId: name, key: name, value: oddText(limits.valueLength) }),
    { maxLength: 3 },
  ),
  links: fc.constant([]),
  images: fc.constant([]),
})
