import { type Family, SEGMENTS } from '../family.ts'
import { makers } from '../makers.ts'
import { shopPrice } from '../numbers.ts'

const KINDS = [
  { name: 'desktop', subCategory: 'Desktop Label Printers', widths: [56, 104], price: 260 },
  { name: 'industrial', subCategory: 'Industrial Label Printers', widths: [104, 168], price: 890 },
  { name: 'mobile', subCategory: 'Mobile Label Printers', widths: [48, 72, 104], price: 410 },
]
const CONNECTIONS = [
  { name: 'USB', price: 0 },
  { name: 'USB and Ethernet', price: 65 },
  { name: 'USB, Ethernet and Wi-Fi', price: 140 },
  { name: 'USB and Bluetooth', price: 80 },
]
const EXTRAS = ['', 'peeler', 'cutter']

/** Label printers for desk, warehouse and belt. */
export const labelPrinters: Family = {
  key: 'label-printer',
  count: 260,
  segment: SEGMENTS.it,
  category: 'Printing',
  makers: [makers.labelmoor, makers.printhollow, makers.ilvenor],
  draft(random, maker) {
    const kind = random.pick(KINDS)
    const dots = random.pick([203, 300, 600])
    const width = random.pick(kind.widths)
    const transfer = kind.name !== 'mobile' && random.chance(0.5)
    const connection = random.pick(CONNECTIONS)
    const extra = kind.name === 'mobile' ? '' : random.pick(EXTRAS)
    const speed =
      kind.name === 'industrial' ? random.pick([254, 305, 356]) : random.pick([102, 152])
    const method = transfer ? 'Thermal transfer' : 'Direct thermal'
    const line = `${random.pick(maker.lines)} ${kind.name[0]!.toUpperCase()}${random.pick([20, 31, 42, 64])}`
    return {
      name: `${line} ${kind.name} label printer, ${method.toLowerCase()}, ${dots} dpi, ${width} mm, ${connection.name}${extra ? `, ${extra}` : ''}`,
      description: `${method} ${kind.name} label printer with ${dots} dpi for labels up to ${width} mm wide at ${speed} mm/s. Connects by ${connection.name}.${extra ? ` With ${extra}.` : ''}${kind.name === 'mobile' ? ' Survives a fall from 1.5 m.' : ''}`,
      subCategory: kind.subCategory,
      unspsc: '43212108',
      code: `${kind.name[0]!.toUpperCase()}${dots / 100 >= 6 ? 6 : Math.floor(dots / 100)}${transfer ? 'T' : 'D'}${String(width).padStart(3, '0')}`,
      msrp: shopPrice(
        kind.price +
          (dots - 203) * 0.9 +
          (transfer ? 90 : 0) +
          connection.price +
          (extra ? 85 : 0) +
          (width - 48) * 1.6,
      ),
      attributes: {
        'Print technology': method,
        'Print resolution': `${dots} dpi`,
        'Print width': `${width} mm`,
        'Print speed': `${speed} mm/s`,
        Connection: connection.name,
        Extras: extra || 'none',
        Memory: '256 MB flash, 128 MB RAM',
        'Operating temperature': kind.name === 'mobile' ? '-20 to 50 °C' : '5 to 40 °C',
        Warranty: `${random.pick([1, 2])} years`,
      },
      facets: {
        'Print technology': method,
        'Print resolution': `${dots} dpi`,
        'Print width': `${width} mm`,
        Connection: connection.name,
      },
      filters: {
        'Print width (mm)': width,
        'Print resolution (dpi)': dots,
        'Print speed (mm/s)': speed,
      },
    }
  },
}
