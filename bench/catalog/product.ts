import { type Random, randomFrom } from '../../demo/random.ts'
import { capitalised, word, zipf } from './words.ts'

/** Number of words that names and descriptions are drawn from. */
export const VOCABULARY = 20_000
const VALUE_WORDS = 30_000
const MAKER_WORDS = 60_000

export const MAKERS = 200
export const VENDORS = 12
const FAMILIES = 24
const DESCRIPTION_WORDS = 30

const drawWord = zipf(VOCABULARY)
const drawMaker = zipf(MAKERS)
const drawFamily = zipf(FAMILIES, 0.8)
const drawVendor = zipf(VENDORS, 0.5)

export const maker = (rank: number): string => capitalised(word(MAKER_WORDS + rank))
export const vendor = (rank: number): string =>
  `${capitalised(word(MAKER_WORDS + 500 + rank))} Supply`

interface Facet {
  readonly name: string
  readonly first: number
  readonly draw: (random: Random) => number
}

/** A kind of product: its place in the catalog, and its eight attributes. */
export interface Family {
  readonly segment: string
  readonly category: string
  readonly subCategory: string
  readonly facets: readonly Facet[]
}

const facet = (name: string, index: number, values: number): Facet => ({
  name,
  first: VALUE_WORDS + index * 100,
  draw: zipf(values),
})

const COMMON = [facet('Colour', 0, 14), facet('Material', 1, 20), facet('Warranty', 2, 6)]
/** Number of values of each of the five attributes that only one family has. */
const OWN_VALUES = [4, 8, 16, 40, 80]

export const families: readonly Family[] = Array.from({ length: FAMILIES }, (_, i) => ({
  segment: `Segment ${1 + (i % 4)}`,
  category: `Category ${1 + (i % 12)}`,
  subCategory: `Family ${1 + i}`,
  facets: [
    ...COMMON,
    ...OWN_VALUES.map((values, n) => facet(`Property ${1 + i}.${1 + n}`, 3 + i * 5 + n, values)),
  ],
}))

export const facetValue = ({ first }: Facet, rank: number): string =>
  capitalised(word(first + rank))

/** The product at one index of a catalog: the same on every machine and in catalogs of any size. */
export function productAt(index: number, seed = 'bench') {
  const random = randomFrom(`${seed} ${index}`)
  const family = families[drawFamily(random)]!
  const manufacturer = maker(drawMaker(random))
  const code = `${manufacturer.slice(0, 2).toUpperCase()}-${random.whole(100, 999)}-${index}`
  const msrp = cents(2 * 10 ** (random.next() * 3))
  return {
    id: `p-${index}`,
    name: `${manufacturer} ${words(random, 5)} ${code}`,
    description: `${capitalised(words(random, DESCRIPTION_WORDS))}.`,
    manufacturer,
    manufacturerPartNumber: code,
    unspsc: String(43_000_000 + random.whole(0, 99) * 100),
    segment: family.segment,
    category: family.category,
    subCategory: family.subCategory,
    msrp,
    vendors: offers(random, { code, msrp }),
    attributes: {
      'Country of origin': maker(random.whole(0, 20)),
      Packing: `${random.whole(1, 12)} pcs`,
    },
    filters: {
      'Weight (kg)': cents(10 ** (random.next() * 2 - 1)),
      [`Size ${family.subCategory.slice(7)} (mm)`]: random.whole(1, 2_000),
    },
    facets: Object.fromEntries(
      family.facets.map((one) => [one.name, facetValue(one, one.draw(random))]),
    ),
    upcs: [String(400_000_000_000 + index)],
  }
}

export type BenchProduct = ReturnType<typeof productAt>

const cents = (amount: number): number => Math.round(amount * 100) / 100

const words = (random: Random, count: number): string =>
  Array.from({ length: count }, () => word(drawWord(random))).join(' ')

function offers(random: Random, { code, msrp }: { code: string; msrp: number }) {
  const chosen = new Set<number>()
  while (chosen.size < 3) chosen.add(drawVendor(random))
  return [...chosen].map((rank) => {
    const onHand = random.chance(0.7) ? random.whole(1, 500) : 0
    return {
      vendorName: vendor(rank),
      vendorPartNumber: `${rank}${code}`,
      cost: cents(msrp * (0.6 + random.next() * 0.5)),
      onHand,
      inStock: onHand > 0,
      status: 'active',
    }
  })
}
