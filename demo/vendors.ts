import type { Offer } from '../src/products/product.ts'
import { SEGMENTS } from './family.ts'
import { cents, fill, scattered } from './numbers.ts'
import type { Random } from './random.ts'

/** A fictitious distributor, and how likely it offers a product of each segment. */
interface Vendor {
  readonly name: string
  readonly likely: Readonly<Partial<Record<string, number>>>
  /** Its price as a share of the manufacturer's. */
  readonly share: number
  readonly partNumber: (serial: number, manufacturerPartNumber: string) => string
}

const { it, office, tools, safety, facility, power } = SEGMENTS

export const vendors: readonly Vendor[] = [
  {
    name: 'Castellane Distribution',
    likely: { [it]: 0.85, [office]: 0.6 },
    share: 0.78,
    partNumber: (serial) => scattered(serial, 7),
  },
  {
    name: 'Nordhaven Wholesale',
    likely: { [it]: 0.75, [office]: 0.7, [facility]: 0.5 },
    share: 0.8,
    partNumber: (serial) => `NW-${Number(scattered(serial, 7)).toString(36).toUpperCase()}`,
  },
  {
    name: 'Marrowby Office',
    likely: { [office]: 0.9, [it]: 0.45, [safety]: 0.5 },
    share: 0.84,
    partNumber: (serial) => fill('MBY{n6}.X', { code: '', serial }),
  },
  {
    name: 'Oakvale Supply',
    likely: {
      [tools]: 0.8,
      [safety]: 0.8,
      [facility]: 0.8,
      [power]: 0.6,
      [it]: 0.25,
      [office]: 0.2,
    },
    share: 0.76,
    partNumber: (serial) => scattered(serial, 9).replace(/(...)(...)(...)/, '$1.$2.$3'),
  },
  {
    name: 'Pinegate Industrial',
    likely: { [tools]: 0.7, [power]: 0.85, [safety]: 0.5, [facility]: 0.4 },
    share: 0.81,
    partNumber: (_, manufacturerPartNumber) => `PG/${manufacturerPartNumber}`,
  },
  {
    name: 'Tidewell Direct',
    likely: Object.fromEntries(Object.values(SEGMENTS).map((segment) => [segment, 0.6])),
    share: 0.88,
    partNumber: (serial) => `TW${scattered(serial, 8)}`,
  },
]

interface Offered {
  readonly segment: string
  readonly manufacturerPartNumber: string
  readonly name: string
  readonly msrp: number
  /** Counts all products, so that every vendor number is unique. */
  readonly serial: number
}

/** One to five offers, each of a different vendor. */
export function offersOf(product: Offered, random: Random): Offer[] {
  const interested = vendors.filter(({ likely }) => random.chance(likely[product.segment] ?? 0))
  const offering = interested.length > 0 ? interested.slice(0, 5) : [vendors.at(-1)!]
  return offering.map((vendor) => offer(vendor, product, random))
}

function offer(vendor: Vendor, product: Offered, random: Random): Offer {
  const many = product.msrp < 30 ? 2400 : product.msrp < 300 ? 320 : 45
  const onHand = random.chance(0.28) ? 0 : random.whole(1, many)
  const status = onHand > 0 ? 'Available' : random.pick(['On order', 'On order', 'Discontinued'])
  return {
    vendorName: vendor.name,
    vendorPartNumber: vendor.partNumber(product.serial, product.manufacturerPartNumber),
    name: product.name.toUpperCase().replace(/[",]/g, '').slice(0, 60).trim(),
    cost: Math.max(0.02, cents(product.msrp * (vendor.share + random.next() * 0.12 - 0.06))),
    onHand,
    inStock: onHand > 0,
    status,
  }
}
