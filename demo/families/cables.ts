import { type Family, SEGMENTS } from '../family.ts'
import { makers } from '../makers.ts'
import { shopPrice } from '../numbers.ts'

const COPPER = [
  { category: 'Cat5e', megahertz: 100, shield: 'U/UTP', price: 1.1 },
  { category: 'Cat6', megahertz: 250, shield: 'U/UTP', price: 1.5 },
  { category: 'Cat6A', megahertz: 500, shield: 'S/FTP', price: 2.6 },
  { category: 'Cat8.1', megahertz: 2000, shield: 'S/FTP', price: 4.9 },
]
const FIBER = [
  { category: 'OM3', ends: 'LC-LC', price: 6.4 },
  { category: 'OM4', ends: 'LC-LC', price: 8.2 },
  { category: 'OM4', ends: 'LC-SC', price: 8.6 },
  { category: 'OS2', ends: 'LC-LC', price: 6.9 },
]
const LENGTHS = [0.25, 0.5, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30]
const COLORS = ['Gray', 'Blue', 'Yellow', 'Red', 'Green', 'Black', 'White', 'Orange']

/** Patch cables, copper and fiber. */
export const cables: Family = {
  key: 'cable',
  count: 600,
  segment: SEGMENTS.it,
  category: 'Cables',
  makers: [makers.cablewright, makers.netharbor, makers.fibrelane],
  draft(random, maker) {
    const meters = random.pick(LENGTHS)
    const fiber = maker === makers.fibrelane || random.chance(0.15)
    const color = fiber ? random.pick(['Aqua', 'Yellow', 'Violet']) : random.pick(COLORS)
    const copper = random.pick(COPPER)
    const glass = random.pick(FIBER)
    const category = fiber ? glass.category : copper.category
    const pack = random.pick([1, 1, 1, 5, 10])
    const ends = fiber ? glass.ends : 'RJ45-RJ45'
    const jacket = random.pick(['LSZH', 'PVC'])
    const what = fiber ? `${category} duplex fiber patch cable ${ends}` : `${category} patch cable`
    const title = [
      `${what}, ${meters} m, ${color}`,
      fiber ? jacket : `${copper.shield}, ${jacket}`,
      ...(pack > 1 ? [`pack of ${pack}`] : []),
    ]
    return {
      name: title.join(', '),
      description: fiber
        ? `Duplex ${category} fiber patch cable with ${ends} connectors, ${meters} meters, ${jacket} jacket in ${color.toLowerCase()}. Every cable is tested for insertion loss below 0.3 dB.`
        : `${category} ${copper.shield} patch cable with RJ45 plugs and snagless boots, ${meters} meters, ${jacket} jacket in ${color.toLowerCase()}. Certified to ${copper.megahertz} MHz.`,
      subCategory: fiber ? 'Fiber Patch Cables' : 'Copper Patch Cables',
      unspsc: fiber ? '26121607' : '26121609',
      code: `${category.replace(/\W/g, '')}-${String(meters).replace('.', '')}${meters % 1 ? 'h' : 'm'}${color.slice(0, 2).toUpperCase()}${ends.length > 5 ? '' : ends.replace('-', '')}${jacket[0]}${pack}`,
      msrp: shopPrice(
        pack ** 0.95 * (1.2 + meters * (fiber ? 0.9 : 0.35) + (fiber ? glass : copper).price),
      ),
      attributes: {
        Length: `${meters} m`,
        Category: category,
        Connectors: ends,
        Shielding: fiber ? 'None' : copper.shield,
        Bandwidth: fiber ? 'not applicable' : `${copper.megahertz} MHz`,
        Jacket: jacket,
        'Outer diameter': `${fiber ? 2 : random.pick([5.2, 5.8, 6.1])} mm`,
        'Pack quantity': String(pack),
      },
      facets: {
        Length: `${meters} m`,
        'Cable category': category,
        Connectors: ends,
        Color: color,
        Jacket: jacket,
        'Pack quantity': String(pack),
      },
      filters: { 'Length (m)': meters, 'Pack quantity': pack },
    }
  },
}
