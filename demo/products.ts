import type { Offer, ProductImage } from '../src/products/product.ts'
import { families } from './families/index.ts'
import type { Draft, Family } from './family.ts'
import type { Maker } from './makers.ts'
import { fill, scattered, upcCheckDigit } from './numbers.ts'
import { pictureId } from './pictures.ts'
import { type Random, randomFrom } from './random.ts'
import { offersOf } from './vendors.ts'

/** Marks every product of the demo catalog as made up. */
const SYNTHETIC = { name: 'Data source', value: 'Synthetic demo data' } as const

/** A product as the API returns it, without the fields the service adds; pictures are paths. */
export interface DemoProduct {
  readonly id: string
  readonly description: string
  readonly manufacturer: string
  readonly manufacturerPartNumber: string
  readonly name: string
  readonly image: string
  readonly unspsc: string
  readonly segment: string
  readonly category: string
  readonly subCategory: string
  readonly msrp: number
  readonly images: readonly ProductImage[]
  readonly vendors: readonly Offer[]
  readonly attributes: Readonly<Record<string, string>>
  readonly filters: Readonly<Record<string, number>>
  readonly facets: Readonly<Record<string, string>>
  readonly upcs: readonly string[]
}

const TRIES = 500

/** Generates the demo catalog, the same at every call: families in turn, each with its own seed. */
export function* demoProducts(): Generator<DemoProduct> {
  const serials = new Map<Maker, number>()
  let total = 0
  for (const family of families) {
    const random = randomFrom(`aisle demo ${family.key}`)
    const taken = new Set<string>()
    for (let number = 1; number <= family.count; number++) {
      const { maker, draft, partNumber, serial } = nextDraft({ family, random, taken, serials })
      serials.set(maker, serial + 1)
      const name = `${maker.name} ${draft.name}`
      const id = pictureId(family.key, maker)
      const image = `/api/images/${id}`
      yield {
        id: `${family.key}-${String(number).padStart(4, '0')}`,
        description: draft.description,
        manufacturer: maker.name,
        manufacturerPartNumber: partNumber,
        name,
        image,
        unspsc: draft.unspsc,
        segment: family.segment,
        category: family.category,
        subCategory: draft.subCategory,
        msrp: draft.msrp,
        images: [{ id, url: image, name: family.category, type: 'image/png' }],
        vendors: offersOf(
          {
            segment: family.segment,
            manufacturerPartNumber: partNumber,
            name,
            msrp: draft.msrp,
            serial: total++,
          },
          random,
        ),
        attributes: { ...draft.attributes, [SYNTHETIC.name]: SYNTHETIC.value },
        filters: draft.filters,
        facets: draft.facets,
        upcs: [upc(maker, serial)],
      }
    }
  }
}

interface Search {
  readonly family: Family
  readonly random: Random
  /** Names and part numbers already used, each with its maker. */
  readonly taken: Set<string>
  readonly serials: ReadonlyMap<Maker, number>
}

/** Draws until a product has a name and a part number that are new for its maker. */
function nextDraft({ family, random, taken, serials }: Search) {
  for (let tries = 0; tries < TRIES; tries++) {
    const maker = random.pick(family.makers)
    const draft: Draft = family.draft(random, maker)
    const serial = serials.get(maker) ?? Number(maker.upcPrefix) % 1000
    const partNumber = fill(maker.pattern, { code: draft.code, serial })
    const keys = [`${maker.name} ${draft.name}`, `${maker.name} # ${partNumber}`]
    if (keys.some((key) => taken.has(key))) continue
    for (const key of keys) taken.add(key)
    return { maker, draft, partNumber, serial }
  }
  throw new Error(`${family.key} has no more products to make up.`)
}

function upc({ upcPrefix }: Maker, serial: number): string {
  const eleven = `4${upcPrefix}${scattered(serial, 5)}`
  return `${eleven}${upcCheckDigit(eleven)}`
}
