import { type Family, SEGMENTS } from '../family.ts'
import { makers } from '../makers.ts'
import { shopPrice } from '../numbers.ts'

const SERIES = ['60', '62', '63'] as const
const TAPERED = { 60: '320', 62: '302', 63: '303' } as const
/** Outer diameter and width by series for each bore, in millimeters: the sizes of ISO 15. */
const BORES = [
  { code: '00', bore: 10, 60: [26, 8], 62: [30, 9], 63: [35, 11] },
  { code: '01', bore: 12, 60: [28, 8], 62: [32, 10], 63: [37, 12] },
  { code: '02', bore: 15, 60: [32, 9], 62: [35, 11], 63: [42, 13] },
  { code: '03', bore: 17, 60: [35, 10], 62: [40, 12], 63: [47, 14] },
  { code: '04', bore: 20, 60: [42, 12], 62: [47, 14], 63: [52, 15] },
  { code: '05', bore: 25, 60: [47, 12], 62: [52, 15], 63: [62, 17] },
  { code: '06', bore: 30, 60: [55, 13], 62: [62, 16], 63: [72, 19] },
  { code: '07', bore: 35, 60: [62, 14], 62: [72, 17], 63: [80, 21] },
  { code: '08', bore: 40, 60: [68, 15], 62: [80, 18], 63: [90, 23] },
  { code: '10', bore: 50, 60: [80, 16], 62: [90, 20], 63: [110, 27] },
  { code: '12', bore: 60, 60: [95, 18], 62: [110, 22], 63: [130, 31] },
  { code: '16', bore: 80, 60: [125, 22], 62: [140, 26], 63: [170, 39] },
] as const
const SEALS = [
  { suffix: '', name: 'Open', price: 1 },
  { suffix: '-2Z', name: 'Metal shields', price: 1.12 },
  { suffix: '-2RS1', name: 'Rubber seals', price: 1.2 },
]
const CLEARANCES = ['CN', 'C2', 'C3', 'C4']

/** Deep groove ball and tapered roller bearings. */
export const bearings: Family = {
  key: 'bearing',
  count: 420,
  segment: SEGMENTS.power,
  category: 'Bearings',
  makers: [makers.spindrell, makers.rotavance, makers.hartspindle],
  draft(random) {
    const tapered = random.chance(0.25)
    const series = random.pick(SERIES)
    const size = random.pick(BORES)
    const [outer, narrow] = size[series]
    const inner = size.bore
    const seal = tapered ? SEALS[0]! : random.pick(SEALS)
    const clearance = random.pick(CLEARANCES)
    const cage = random.pick(['Steel', 'Brass', 'Polyamide'])
    const width = tapered ? narrow + 1.25 : narrow
    const load = Math.round(width * outer * (tapered ? 0.042 : 0.0195) * 10) / 10
    const prefix = tapered ? TAPERED[series] : series
    const mark = `${cage === 'Brass' ? ' M' : cage === 'Polyamide' ? ' TN9' : ''}`
    const designation = `${prefix}${size.code}${seal.suffix}${clearance === 'CN' ? '' : `/${clearance}`}${mark}`
    const kind = tapered ? 'Tapered roller bearing' : 'Deep groove ball bearing'
    return {
      name: `${kind} ${designation}, ${inner} x ${outer} x ${width} mm`,
      description: `${kind} ${designation} for a ${inner} mm shaft, ${seal.name.toLowerCase()}, ${cage.toLowerCase()} cage, internal clearance ${clearance}. Dynamic load rating ${load} kN.`,
      subCategory: tapered ? 'Tapered Roller Bearings' : 'Deep Groove Ball Bearings',
      unspsc: tapered ? '31171505' : '31171504',
      code: designation,
      msrp: shopPrice(
        (2.4 + inner * 0.16 + width * outer * 0.006) *
          seal.price *
          (tapered ? 1.7 : 1) *
          (cage === 'Brass' ? 1.5 : 1),
      ),
      attributes: {
        'Bore diameter': `${inner} mm`,
        'Outer diameter': `${outer} mm`,
        Width: `${width} mm`,
        Sealing: seal.name,
        'Internal clearance': clearance,
        'Cage material': cage,
        'Dynamic load rating': `${load} kN`,
        'Limiting speed': `${Math.round(520 / (inner + outer)) * 1000 + 2000} rpm`,
        Designation: designation,
      },
      facets: {
        'Bore diameter': `${inner} mm`,
        Series: prefix,
        Sealing: seal.name,
        'Internal clearance': clearance,
        'Cage material': cage,
      },
      filters: {
        'Bore (mm)': inner,
        'Outer diameter (mm)': outer,
        'Width (mm)': width,
        'Load rating (kN)': load,
      },
    }
  },
}
