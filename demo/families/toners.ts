import { type Family, SEGMENTS } from '../family.ts'
import { makers } from '../makers.ts'
import { shopPrice } from '../numbers.ts'

const COLORS = [
  { name: 'Black', letter: 'K', price: 1 },
  { name: 'Cyan', letter: 'C', price: 1.15 },
  { name: 'Magenta', letter: 'M', price: 1.15 },
  { name: 'Yellow', letter: 'Y', price: 1.15 },
]
const PRINTERS = [
  { model: 'Metro 2400', pages: 1500 },
  { model: 'Metro 2650dn', pages: 2600 },
  { model: 'Metro 3300', pages: 3000 },
  { model: 'Avenue C410', pages: 2100 },
  { model: 'Avenue C455dw', pages: 3200 },
  { model: 'Avenue C620', pages: 5000 },
  { model: 'Boulevard 5100', pages: 8000 },
  { model: 'Boulevard C7200', pages: 9500 },
  { model: 'Terrace M18', pages: 1000 },
  { model: 'Terrace M22w', pages: 1200 },
]
const YIELDS = [
  { name: 'Standard', factor: 1, mark: 'A' },
  { name: 'High', factor: 2.1, mark: 'X' },
  { name: 'Extra high', factor: 3.4, mark: 'XL' },
]

/** Laser toner, original and compatible. */
export const toners: Family = {
  key: 'toner',
  count: 420,
  segment: SEGMENTS.office,
  category: 'Printer Supplies',
  makers: [makers.printhollow, makers.tonewell, makers.inkmarrow],
  draft(random, maker) {
    const printer = random.pick(PRINTERS)
    const multicolor = printer.model.includes(' C')
    const color = multicolor ? random.pick(COLORS) : COLORS[0]!
    const fill = random.pick(YIELDS)
    const pages = Math.round((printer.pages * fill.factor) / 100) * 100
    const original = maker === makers.printhollow
    const pack = random.pick([1, 1, 1, 2])
    const recycled = !original && random.chance(0.4)
    const number = String(PRINTERS.indexOf(printer) * 17 + 103).padStart(4, '0')
    const kind = original ? 'Genuine' : recycled ? 'Remanufactured' : 'Compatible'
    return {
      name: `${kind} ${color.name.toLowerCase()} toner ${number}${fill.mark} for Printhollow ${printer.model}, ${pages} pages${pack > 1 ? ', twin pack' : ''}`,
      description: `${kind} ${color.name.toLowerCase()} toner cartridge for the Printhollow ${printer.model}. Yields about ${pages} pages at 5 % coverage${pack > 1 ? ' for each of two cartridges' : ''}.${recycled ? ' Made from a collected and cleaned cartridge.' : ''}`,
      subCategory: original ? 'Original Toner' : 'Compatible Toner',
      unspsc: '44103103',
      code: `${number}${fill.mark}-${color.letter}${pack}${recycled ? 'R' : ''}`,
      msrp: shopPrice(
        (18 + pages * 0.021) *
          color.price *
          (original ? 1.6 : recycled ? 0.8 : 0.95) *
          pack ** 0.92,
      ),
      attributes: {
        'Toner color': color.name,
        'Page yield': `${pages} pages`,
        'Yield class': fill.name,
        'Compatible printer': `Printhollow ${printer.model}`,
        'Cartridge number': `${number}${fill.mark}`,
        'Print technology': 'Laser',
        'Pack quantity': String(pack),
        'Shelf life': '24 months',
      },
      facets: {
        'Toner color': color.name,
        'Compatible printer': `Printhollow ${printer.model}`,
        'Yield class': fill.name,
        'Cartridge type': kind,
        'Pack quantity': String(pack),
      },
      filters: { 'Page yield': pages, 'Pack quantity': pack },
    }
  },
}
