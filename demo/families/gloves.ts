import { type Family, SEGMENTS } from '../family.ts'
import { makers } from '../makers.ts'
import { shopPrice } from '../numbers.ts'

const KINDS = [
  {
    name: 'cut-resistant glove',
    subCategory: 'Cut-Resistant Gloves',
    materials: ['HPPE and glass fiber', 'HPPE and steel'],
    coatings: ['Nitrile foam', 'PU', 'Latex'],
    price: 7.4,
  },
  {
    name: 'assembly glove',
    subCategory: 'Assembly Gloves',
    materials: ['nylon', 'polyester'],
    coatings: ['PU', 'Nitrile foam', 'none'],
    price: 2.2,
  },
  {
    name: 'chemical glove',
    subCategory: 'Chemical Gloves',
    materials: ['nitrile', 'neoprene', 'butyl'],
    coatings: ['none'],
    price: 9.8,
  },
  {
    name: 'winter glove',
    subCategory: 'Thermal Gloves',
    materials: ['acrylic terry', 'padded fleece'],
    coatings: ['Latex', 'Nitrile foam'],
    price: 6.1,
  },
]
const SIZES = [
  { number: 6, name: 'XS' },
  { number: 7, name: 'S' },
  { number: 8, name: 'M' },
  { number: 9, name: 'L' },
  { number: 10, name: 'XL' },
  { number: 11, name: 'XXL' },
]
const CUT_LEVELS = ['A', 'B', 'C', 'D', 'E', 'F']

/** Work gloves by hazard and size. */
export const gloves: Family = {
  key: 'glove',
  count: 440,
  segment: SEGMENTS.safety,
  category: 'Hand Protection',
  makers: [makers.gripmoor, makers.handfell, makers.palmarrow],
  draft(random, maker) {
    const kind = random.pick(KINDS)
    const size = random.pick(SIZES)
    const coating = random.pick(kind.coatings)
    const material = random.pick(kind.materials)
    const resistant = kind.subCategory === 'Cut-Resistant Gloves'
    const level = resistant ? random.pick(CUT_LEVELS.slice(2)) : random.pick(['A', 'X'])
    const pairs = random.pick([1, 12, 12, 144])
    const color = random.pick(['Gray', 'Black', 'Hi-vis yellow', 'Blue', 'Green'])
    const touch = random.chance(0.3)
    const length = kind.name === 'chemical glove' ? random.pick([320, 350, 400]) : 240
    const coated = coating === 'none' ? 'uncoated' : `${coating} coated`
    const line = `${random.pick(maker.lines)} ${random.whole(2, 9)}0`
    return {
      name: `${line} ${kind.name}, ${coated}, ${color.toLowerCase()}, size ${size.number} (${size.name})${resistant ? `, cut level ${level}` : ''}, ${pairs === 1 ? '1 pair' : `${pairs} pairs`}`,
      description: `${kind.name[0]!.toUpperCase()}${kind.name.slice(1)} of ${material}, ${coated.toLowerCase()}, tested to EN 388${resistant ? ` with cut level ${level}` : ''}.${touch ? ' Works on touchscreens.' : ''} ${length} mm long, size ${size.number} (${size.name}).`,
      subCategory: kind.subCategory,
      unspsc: '46181504',
      code: `${String(size.number).padStart(2, '0')}${color[0]}${pairs === 1 ? '' : pairs}`,
      msrp: shopPrice(
        pairs ** 0.94 * (kind.price + CUT_LEVELS.indexOf(level) * 0.7 + (length - 240) * 0.02),
      ),
      attributes: {
        'Glove size': `${size.number} (${size.name})`,
        Liner: material,
        Coating: coating,
        'Cut resistance (ISO 13997)': level === 'X' ? 'not tested' : level,
        Length: `${length} mm`,
        Standard: 'EN ISO 21420, EN 388',
        Touchscreen: touch ? 'Yes' : 'No',
        Color: color,
        'Pairs per pack': String(pairs),
      },
      facets: {
        'Glove size': `${size.number} (${size.name})`,
        Coating: coating === 'none' ? 'Uncoated' : coating,
        ...(level === 'X' ? {} : { 'Cut level': level }),
        Touchscreen: touch ? 'Yes' : 'No',
        Color: color,
        'Pack quantity': String(pairs),
      },
      filters: { 'Length (mm)': length, 'Pack quantity': pairs },
    }
  },
}
