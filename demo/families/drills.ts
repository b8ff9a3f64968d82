import { type Family, SEGMENTS } from '../family.ts'
import { makers } from '../makers.ts'
import { shopPrice } from '../numbers.ts'

const KINDS = [
  { name: 'drill driver', subCategory: 'Drill Drivers', letter: 'D', torque: 1, price: 0 },
  { name: 'hammer drill', subCategory: 'Hammer Drills', letter: 'H', torque: 1.15, price: 25 },
  { name: 'impact driver', subCategory: 'Impact Drivers', letter: 'I', torque: 2.6, price: 18 },
]
const VOLTS = [
  { volts: 10.8, torque: 32, kilograms: 0.9, price: 49 },
  { volts: 12, torque: 38, kilograms: 1, price: 55 },
  { volts: 18, torque: 62, kilograms: 1.4, price: 85 },
  { volts: 36, torque: 95, kilograms: 2.1, price: 165 },
]
const KITS = ['bare tool', '1 battery and charger', '2 batteries, charger and case']

/** Cordless drills and drivers. */
export const drills: Family = {
  key: 'drill',
  count: 300,
  segment: SEGMENTS.tools,
  category: 'Power Tools',
  makers: [makers.drakesmoor, makers.brennick, makers.hartspindle],
  draft(random, maker) {
    const kind = random.pick(KINDS)
    const cell = random.pick(VOLTS)
    const brushless = random.chance(0.6)
    const kit = random.whole(0, 2)
    const amps = kit === 0 ? 0 : random.pick([2, 2.5, 4, 5])
    const chuck = kind.letter === 'I' ? '1/4" hex' : random.pick(['10 mm', '13 mm'])
    const torque = Math.round(cell.torque * kind.torque * (brushless ? 1.2 : 1))
    const speed = random.pick([1500, 1800, 2100, 2800])
    const line = random.pick(maker.lines)
    const battery = ['bare tool', `1 battery ${amps} Ah`, `2 batteries ${amps} Ah`][kit]!
    return {
      name: `${line} ${cell.volts} V cordless ${kind.name}${brushless ? ', brushless' : ''}, ${chuck} chuck, ${torque} Nm, ${speed} rpm, ${battery}`,
      description: `Cordless ${kind.name} with ${cell.volts} V and up to ${torque} Nm. ${brushless ? 'The brushless motor needs no service and runs longer on a charge.' : 'A robust motor with carbon brushes that are changed in a minute.'} ${speed} turns a minute, LED work light, ${kit === 0 ? 'without battery' : KITS[kit]}.`,
      subCategory: kind.subCategory,
      unspsc: '27112703',
      code: `${String(cell.volts).replace('.', '')}${kind.letter}${brushless ? 'BL' : 'C'}-${kit}${String(amps).replace('.', '')}${chuck.slice(0, 2).replace(/\D/g, '')}${speed / 100}`,
      msrp: shopPrice(cell.price + kind.price + (brushless ? 45 : 0) + kit * (30 + amps * 12)),
      attributes: {
        'Battery voltage': `${cell.volts} V`,
        'Maximum torque': `${torque} Nm`,
        'No-load speed': `${speed} rpm`,
        'Chuck size': chuck,
        'Motor type': brushless ? 'Brushless' : 'Brushed',
        'Battery capacity': kit === 0 ? 'not included' : `${amps} Ah`,
        'Scope of delivery': KITS[kit]!,
        Weight: `${cell.kilograms} kg`,
        'Sound pressure': `${random.whole(68, 84)} dB(A)`,
      },
      facets: {
        'Battery voltage': `${cell.volts} V`,
        'Motor type': brushless ? 'Brushless' : 'Brushed',
        'Chuck size': chuck,
        'Scope of delivery': KITS[kit]!,
      },
      filters: {
        'Battery voltage (V)': cell.volts,
        'Torque (Nm)': torque,
        'Weight (kg)': cell.kilograms,
      },
    }
  },
}
