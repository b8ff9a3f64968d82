import { type Family, SEGMENTS } from '../family.ts'
import { makers } from '../makers.ts'
import { shopPrice } from '../numbers.ts'

const PANELS = [
  { inches: 21.5, pixels: '1920 x 1080', label: 'Full HD', aspect: '16:9', price: 105 },
  { inches: 23.8, pixels: '1920 x 1080', label: 'Full HD', aspect: '16:9', price: 135 },
  { inches: 24, pixels: '1920 x 1200', label: 'WUXGA', aspect: '16:10', price: 189 },
  { inches: 27, pixels: '2560 x 1440', label: 'QHD', aspect: '16:9', price: 249 },
  { inches: 27, pixels: '3840 x 2160', label: '4K UHD', aspect: '16:9', price: 379 },
  { inches: 31.5, pixels: '3840 x 2160', label: '4K UHD', aspect: '16:9', price: 489 },
  { inches: 34, pixels: '3440 x 1440', label: 'UWQHD', aspect: '21:9', price: 579 },
  { inches: 40, pixels: '5120 x 2160', label: '5K2K', aspect: '21:9', price: 1090 },
]
const STANDS = ['tilt only', 'height, tilt, swivel and pivot', 'height and tilt']

/** Office, professional and ultrawide displays. */
export const monitors: Family = {
  key: 'monitor',
  count: 340,
  segment: SEGMENTS.it,
  category: 'Displays',
  makers: [makers.corvanta, makers.tessaro, makers.brightwold],
  draft(random, maker) {
    const panel = random.pick(PANELS)
    const rate = random.pick([60, 75, 100, 144])
    const kind = random.pick(['IPS', 'IPS', 'VA'])
    const dock = random.chance(0.35)
    const watts = random.pick([65, 90, 100])
    const stand = random.pick(STANDS)
    const color = random.pick(['Black', 'White', 'Silver'])
    const brightness = random.pick([250, 300, 350, 400])
    const inputs = dock ? 'HDMI, DisplayPort, USB-C' : 'HDMI, DisplayPort'
    const wide = panel.aspect === '21:9'
    const professional = !wide && panel.label === '4K UHD' && brightness >= 350
    const line = random.pick(maker.lines)
    return {
      name: `${line} ${panel.inches}" ${panel.label} ${kind} Monitor, ${rate} Hz, ${dock ? `USB-C ${watts} W` : 'HDMI'}, ${brightness} nits, ${color}`,
      description: `${panel.inches} inch ${panel.label} ${kind} monitor with ${brightness} cd/m² and ${rate} Hz. Stand: ${stand}.${dock ? ` One USB-C cable carries picture, data and ${watts} W of power.` : ''} VESA mount 100 x 100 mm.`,
      subCategory: wide
        ? 'Ultrawide Monitors'
        : professional
          ? 'Professional Monitors'
          : 'Office Monitors',
      unspsc: '43211902',
      code: `${Math.round(panel.inches)}${kind[0]}${dock ? 'C' : 'H'}${color[0]}`,
      msrp: shopPrice(panel.price + (rate - 60) * 1.2 + (dock ? 95 : 0) + (brightness - 250) * 0.4),
      attributes: {
        'Display diagonal': `${panel.inches} in`,
        'Display resolution': `${panel.pixels} pixels`,
        'Aspect ratio': panel.aspect,
        'Panel type': kind,
        'Refresh rate': `${rate} Hz`,
        Brightness: `${brightness} cd/m²`,
        'Contrast ratio': kind === 'VA' ? '3000:1' : '1000:1',
        Inputs: inputs,
        'USB power delivery': dock ? `${watts} W` : 'No',
        'Stand adjustment': stand,
        'VESA mount': '100 x 100 mm',
        'Energy use': `${random.whole(14, 46)} kWh/1000h`,
      },
      facets: {
        'Screen size': `${panel.inches} in`,
        Resolution: panel.label,
        'Panel type': kind,
        'Refresh rate': `${rate} Hz`,
        'USB-C': dock ? 'Yes' : 'No',
        Color: color,
      },
      filters: {
        'Screen size (in)': panel.inches,
        'Refresh rate (Hz)': rate,
        'Brightness (cd/m²)': brightness,
      },
    }
  },
}
