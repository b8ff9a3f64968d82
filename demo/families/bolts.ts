import { type Family, SEGMENTS } from '../family.ts'
import { makers } from '../makers.ts'
import { shopPrice } from '../numbers.ts'

const METRIC = [
  { thread: 'M4', size: '4', pitch: 0.7, head: 7 },
  { thread: 'M5', size: '5', pitch: 0.8, head: 8 },
  { thread: 'M6', size: '6', pitch: 1, head: 10 },
  { thread: 'M8', size: '8', pitch: 1.25, head: 13 },
  { thread: 'M10', size: '10', pitch: 1.5, head: 17 },
  { thread: 'M12', size: '12', pitch: 1.75, head: 19 },
  { thread: 'M16', size: '16', pitch: 2, head: 24 },
  { thread: 'M20', size: '20', pitch: 2.5, head: 30 },
]
const INCH = [
  { thread: '1/4"-20', millimeters: 6.35, head: '7/16 in' },
  { thread: '5/16"-18', millimeters: 7.94, head: '1/2 in' },
  { thread: '3/8"-16', millimeters: 9.53, head: '9/16 in' },
  { thread: '1/2"-13', millimeters: 12.7, head: '3/4 in' },
]
const METRIC_LENGTHS = [10, 12, 16, 20, 25, 30, 35, 40, 50, 60, 70, 80, 100, 120]
const INCH_LENGTHS = ['1/2', '3/4', '1', '1-1/4', '1-1/2', '2', '2-1/2', '3', '4']
const METRIC_GRADES = ['8.8', '10.9', '12.9', 'A2-70', 'A4-80']
const INCH_GRADES = ['Grade 5', 'Grade 8', '18-8']
const STEEL_FINISHES = ['zinc plated', 'plain', 'hot-dip galvanized', 'black oxide']

/** Converts inches such as `1-1/4` to millimeters. */
function millimeters(inches: string): number {
  const total = inches.split('-').reduce((sum, part) => {
    const [top, bottom = '1'] = part.split('/')
    return sum + Number(top) / Number(bottom)
  }, 0)
  return Math.round(total * 254) / 10
}

/** Metric and inch hex bolts by the pack. */
export const bolts: Family = {
  key: 'hex-bolt',
  count: 660,
  segment: SEGMENTS.tools,
  category: 'Fasteners',
  makers: [makers.ferrovex, makers.boltmere, makers.ironthistle],
  draft(random) {
    const metric = random.chance(0.75)
    const iso = random.pick(METRIC)
    const unified = random.pick(INCH)
    const inches = random.pick(INCH_LENGTHS)
    const long = metric ? random.pick(METRIC_LENGTHS) : millimeters(inches)
    const thread = metric ? iso.thread : unified.thread
    const diameter = metric ? Number(iso.size) : unified.millimeters
    const grade = random.pick(metric ? METRIC_GRADES : INCH_GRADES)
    const stainless = /^(A\d|18-8)/.test(grade)
    const finish = stainless ? 'plain' : random.pick(STEEL_FINISHES)
    const material = stainless ? `Stainless steel ${grade}` : 'Steel'
    const full = random.chance(0.6)
    const standard = metric ? (full ? 'ISO 4017' : 'ISO 4014') : 'ASME B18.2.1'
    const pack = random.pick([10, 25, 50, 100, 200])
    const size = metric ? `${thread} x ${long} mm` : `${thread} x ${inches}"`
    const threading = full ? 'fully threaded' : 'partially threaded'
    const rank = metric ? `class ${grade}` : grade
    const packed = `${metric ? iso.size : unified.thread.replace(/\D/g, '')}`.padStart(3, '0')
    return {
      name: `Hex bolt ${size}, ${rank}, ${finish}, ${threading}, pack of ${pack}`,
      description: `Hexagon head bolt ${size} to ${standard}, ${material.toLowerCase()}, ${rank}, ${finish}. The shank is ${threading}. Pack of ${pack}.`,
      subCategory: metric ? 'Metric Hex Bolts' : 'Inch Hex Bolts',
      unspsc: '31161620',
      code: `${packed}-${metric ? String(long).padStart(3, '0') : inches.replace(/\W/g, '')}-${grade.replace(/\W|rade/g, '')}${finish === 'plain' ? '' : finish.slice(0, 2).toUpperCase()}${full ? 'F' : 'P'}/${pack}`,
      msrp: shopPrice(
        pack *
          (0.035 + (diameter / 100) ** 2 * (long + 12) * 0.12) *
          (stainless ? 2.9 : 1) *
          (finish === 'hot-dip galvanized' ? 1.3 : 1),
      ),
      attributes: {
        'Thread size': thread,
        ...(metric ? { 'Thread pitch': `${iso.pitch} mm` } : {}),
        Length: metric ? `${long} mm` : `${inches} in`,
        'Strength class': grade,
        Material: material,
        Finish: finish,
        'Width across flats': metric ? `${iso.head} mm` : unified.head,
        Threading: threading,
        Standard: standard,
        'Pack quantity': String(pack),
      },
      facets: {
        'Thread size': thread,
        'Strength class': grade,
        Material: stainless ? 'Stainless steel' : 'Steel',
        Finish: finish,
        Threading: threading,
        'Pack quantity': String(pack),
      },
      filters: { 'Diameter (mm)': diameter, 'Length (mm)': long, 'Pack quantity': pack },
    }
  },
}
