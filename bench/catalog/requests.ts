import { type Random, randomFrom } from '../../demo/random.ts'
import { facetValue, families, MAKERS, maker, VENDORS, VOCABULARY, vendor } from './product.ts'
import { word } from './words.ts'

/** The part of the API's SearchRequest that the benchmark uses. */
export type SearchRequest = Readonly<Record<string, unknown>>

/** Draws a word with a rank uniform on a logarithmic scale, so that common words are included. */
const anyWord = (random: Random): string =>
  word(Math.floor(VOCABULARY ** (random.next() * 0.9)) - 1)

/** Filters as a shopper adds them, one at a time. */
const selections: readonly ((random: Random) => SearchRequest)[] = [
  (random) => ({ manufacturer: [maker(random.whole(0, MAKERS / 4))] }),
  (random) => ({ vendors: [vendor(random.whole(0, VENDORS - 1))] }),
  () => ({ inStock: true }),
  (random) => ({ lowPrice: random.whole(1, 200), highPrice: random.whole(300, 2_000) }),
  (random) => ({ segment: random.pick(families).segment }),
  (random) => ({ category: random.pick(families).category }),
  (random) => {
    const facet = random.pick(random.pick(families).facets)
    const value = facetValue(facet, random.whole(0, 3))
    return { must: [{ type: 'facet', name: facet.name, value }] }
  },
]

/** Options that change the order, or exclude few products. */
const leanings: readonly ((random: Random) => SearchRequest)[] = [
  (random) => ({ boost: [{ type: 'manufacturer', value: maker(random.whole(0, MAKERS - 1)) }] }),
  (random) => ({ boost: [{ type: 'vendor', value: vendor(random.whole(0, VENDORS - 1)) }] }),
  (random) => ({ exclude: [{ type: 'manufacturer', value: maker(random.whole(9, MAKERS - 1)) }] }),
]

function candidate(random: Random): SearchRequest {
  const keywords = anyWord(random)
  const kind = random.next()
  if (kind < 0.4) return { keywords }
  if (kind < 0.6) return { keywords: `${keywords} ${anyWord(random)}` }
  if (kind < 0.75) return { keywords, ...random.pick(selections)(random) }
  if (kind < 0.9) return { keywords, ...random.pick(leanings)(random) }
  return { ...random.pick(selections)(random), ...random.pick(selections)(random) }
}

/** Distinct requests without end, the same for the same seed: words, filters, browsing. */
export function* candidates(seed = 'requests'): Generator<SearchRequest, never> {
  const random = randomFrom(seed)
  const seen = new Set<string>()
  while (true) {
    const request = candidate(random)
    const text = JSON.stringify(request)
    if (seen.has(text)) continue
    seen.add(text)
    yield request
  }
}

/** Texts as typed before a choice: one to four letters of a maker, a category or a part number. */
export function quickTexts(count: number): string[] {
  const random = randomFrom('quicksearch')
  return Array.from({ length: count }, () => {
    const text = random.chance(0.8)
      ? maker(random.whole(0, MAKERS - 1))
      : random.pick(families).subCategory
    return text.slice(0, random.whole(1, 4))
  })
}

export function someIds(count: number, products: number): string[] {
  const random = randomFrom('ids')
  return Array.from({ length: count }, () => `p-${random.whole(0, products - 1)}`)
}
