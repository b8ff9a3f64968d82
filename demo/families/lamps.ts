import { type Family, SEGMENTS } from '../family.ts'
import { makers } from '../makers.ts'
import { shopPrice } from '../numbers.ts'

const SHAPES = [
  {
    name: 'bulb A60',
    subCategory: 'LED Bulbs',
    bases: ['E27', 'B22'],
    watts: [4.9, 7, 8.5, 11, 13],
    price: 1.9,
  },
  {
    name: 'candle B35',
    subCategory: 'LED Bulbs',
    bases: ['E14', 'E27'],
    watts: [2.5, 4.9, 6.5],
    price: 1.8,
  },
  {
    name: 'spot',
    subCategory: 'LED Spots',
    bases: ['GU10', 'GU5.3'],
    watts: [3.5, 4.9, 6.5],
    price: 2.6,
  },
  {
    name: 'tube T8 1200 mm',
    subCategory: 'LED Tubes',
    bases: ['G13'],
    watts: [14.7, 18],
    price: 7.5,
  },
  {
    name: 'tube T8 1500 mm',
    subCategory: 'LED Tubes',
    bases: ['G13'],
    watts: [20.5, 24],
    price: 9.5,
  },
  {
    name: 'high bay',
    subCategory: 'High Bay Lights',
    bases: ['wired'],
    watts: [80, 120, 165],
    price: 88,
  },
]
const WHITES = [
  { kelvin: 2700, name: 'warm white' },
  { kelvin: 3000, name: 'warm white' },
  { kelvin: 4000, name: 'neutral white' },
  { kelvin: 6500, name: 'daylight' },
]

/** LED lamps for offices, shops and halls. */
export const lamps: Family = {
  key: 'lamp',
  count: 400,
  segment: SEGMENTS.facility,
  category: 'Lighting',
  makers: [makers.lumenfold, makers.glimworth, makers.brightwold],
  draft(random, maker) {
    const shape = random.pick(SHAPES)
    const base = random.pick(shape.bases)
    const watts = random.pick(shape.watts)
    const white = random.pick(WHITES)
    const dims = random.chance(0.35)
    const efficiency = random.pick([95, 110, 130])
    const lumens = Math.round((watts * efficiency) / 5) * 5
    const hours = random.pick([15000, 25000, 50000])
    const pack = random.pick([1, 1, 2, 10])
    const rendering = random.pick([80, 80, 90, 97])
    const line = random.pick(maker.lines)
    return {
      name: `${line} LED ${shape.name} ${watts} W ${base}, ${lumens} lm, ${white.kelvin} K ${white.name}${dims ? ', dimmable' : ''}, CRI ${rendering}${pack > 1 ? `, pack of ${pack}` : ''}`,
      description: `LED ${shape.name} with ${base === 'wired' ? 'a wired connection' : `${base} base`}: ${lumens} lumens from ${watts} W, ${white.name} (${white.kelvin} K), CRI ${rendering}. ${dims ? 'Dimmable. ' : ''}Lasts about ${hours} hours.`,
      subCategory: shape.subCategory,
      unspsc: '39101628',
      code: `${String(watts).replace('.', '').padStart(3, '0')}${base.replace(/\W/g, '').slice(0, 3)}${rendering === 80 ? 8 : 9}${white.kelvin / 100}${dims ? 'D' : ''}`,
      msrp: shopPrice(
        pack ** 0.93 *
          (shape.price + watts * 0.22 + (dims ? 1.4 : 0) + (rendering - 80) * 0.09 + hours / 25000),
      ),
      attributes: {
        'Power consumption': `${watts} W`,
        'Luminous flux': `${lumens} lm`,
        'Luminous efficacy': `${efficiency} lm/W`,
        'Color temperature': `${white.kelvin} K`,
        'Color rendering index': `CRI ${rendering}`,
        Base: base,
        'Rated life': `${hours} h`,
        Dimmable: dims ? 'Yes' : 'No',
        'Input voltage': '220-240 V AC',
        'Pack quantity': String(pack),
      },
      facets: {
        Base: base,
        'Color temperature': `${white.kelvin} K`,
        Dimmable: dims ? 'Yes' : 'No',
        'Color rendering': `CRI ${rendering}`,
        'Pack quantity': String(pack),
      },
      filters: {
        'Power (W)': watts,
        'Luminous flux (lm)': lumens,
        'Rated life (h)': hours,
        'Pack quantity': pack,
      },
    }
  },
}
