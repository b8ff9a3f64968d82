import { type Family, SEGMENTS } from '../family.ts'
import { makers } from '../makers.ts'
import { shopPrice } from '../numbers.ts'

const DISPLAYS = [
  { inches: 13.3, label: 'WUXGA', pixels: '1920 x 1200', kilograms: 1.15, price: 0 },
  { inches: 14, label: 'WUXGA', pixels: '1920 x 1200', kilograms: 1.35, price: 20 },
  { inches: 14, label: 'QHD+', pixels: '2560 x 1600', kilograms: 1.38, price: 130 },
  { inches: 15.6, label: 'FHD', pixels: '1920 x 1080', kilograms: 1.74, price: 10 },
  { inches: 16, label: 'QHD+', pixels: '2560 x 1600', kilograms: 1.95, price: 180 },
  { inches: 17.3, label: 'UHD', pixels: '3840 x 2160', kilograms: 2.6, price: 420 },
]
const PROCESSORS = [
  { name: 'Arden 3 1215', cores: 6, price: 0 },
  { name: 'Arden 5 1340', cores: 10, price: 140 },
  { name: 'Arden 7 1365', cores: 12, price: 330 },
  { name: 'Arden 9 1390', cores: 16, price: 640 },
]
const KEYBOARDS = ['US', 'UK', 'German', 'French', 'Nordic']
const COLORS = ['Silver', 'Graphite', 'Black', 'Midnight blue']

/** Business, workstation and rugged notebooks. */
export const notebooks: Family = {
  key: 'notebook',
  count: 460,
  segment: SEGMENTS.it,
  category: 'Computers',
  makers: [makers.corvanta, makers.tessaro, makers.ilvenor],
  draft(random, maker) {
    const display = random.pick(DISPLAYS)
    const processor = random.pick(PROCESSORS)
    const memory = random.pick([8, 16, 16, 32, 64])
    const storage = random.pick([256, 512, 512, 1000, 2000])
    const rugged = maker === makers.ilvenor
    const workstation = !rugged && processor.cores >= 12 && random.chance(0.4)
    const keyboard = random.pick(KEYBOARDS)
    const color = rugged ? 'Black' : random.pick(COLORS)
    const years = random.pick([1, 1, 3])
    const touch = random.chance(0.25)
    const generation = random.whole(2, 5)
    const kind = rugged
      ? 'Rugged Notebooks'
      : workstation
        ? 'Mobile Workstations'
        : 'Business Notebooks'
    const model = `${random.pick(maker.lines)} ${Math.floor(display.inches)} G${generation}`
    const weight = Math.round((display.kilograms + (rugged ? 0.9 : workstation ? 0.35 : 0)) * 100)
    const disk = storage < 1000 ? `${storage} GB` : `${storage / 1000} TB`
    const graphics = workstation ? 'Veluna V800, 8 GB' : 'integrated'
    return {
      name: `${model} ${display.inches}" ${display.label}${touch ? ' Touch' : ''} ${processor.name} ${memory} GB ${disk} SSD Notebook, ${color}, ${keyboard} keyboard`,
      description: `${display.inches} inch ${kind.toLowerCase().slice(0, -1)} with ${processor.cores}-core ${processor.name} processor, ${memory} GB memory and ${disk} solid state drive. ${graphics === 'integrated' ? 'Integrated' : graphics} graphics, Wi-Fi 6E, two USB-C ports with charging, ${years} year on-site warranty.`,
      subCategory: kind,
      unspsc: '43211503',
      code: `${Math.floor(display.inches)}${processor.name[6]}${memory}${keyboard[0]}`,
      msrp: shopPrice(
        420 +
          display.price +
          processor.price +
          memory * 6 +
          storage * 0.12 +
          (rugged ? 1400 : 0) +
          (workstation ? 700 : 0) +
          (touch ? 80 : 0) +
          (years - 1) * 60,
      ),
      attributes: {
        'Display diagonal': `${display.inches} in`,
        'Display resolution': `${display.pixels} pixels`,
        Touchscreen: touch ? 'Yes' : 'No',
        Processor: processor.name,
        'Processor cores': String(processor.cores),
        Memory: `${memory} GB`,
        Storage: `${disk} NVMe SSD`,
        Graphics: graphics,
        'Keyboard layout': keyboard,
        'Wireless LAN': 'Wi-Fi 6E',
        Weight: `${weight / 100} kg`,
        'Battery capacity': `${random.pick([52, 57, 70, 86])} Wh`,
        Warranty: `${years} year${years > 1 ? 's' : ''} on-site`,
      },
      facets: {
        'Screen size': `${display.inches} in`,
        Processor: processor.name.slice(0, 7),
        Memory: `${memory} GB`,
        'Storage capacity': disk,
        'Keyboard layout': keyboard,
        Touchscreen: touch ? 'Yes' : 'No',
        Color: color,
      },
      filters: {
        'Memory (GB)': memory,
        'Storage (GB)': storage,
        'Weight (kg)': weight / 100,
      },
    }
  },
}
