import { type Family, SEGMENTS } from '../family.ts'
import { makers } from '../makers.ts'
import { shopPrice } from '../numbers.ts'

const KINDS = [
  {
    subCategory: 'SATA SSDs',
    form: '2.5 in',
    bus: 'SATA 6 Gb/s',
    read: 560,
    write: 530,
    price: 0.07,
  },
  {
    subCategory: 'NVMe SSDs',
    form: 'M.2 2280',
    bus: 'PCIe 4.0 x4',
    read: 7000,
    write: 6200,
    price: 0.085,
  },
  {
    subCategory: 'NVMe SSDs',
    form: 'M.2 2280',
    bus: 'PCIe 5.0 x4',
    read: 12400,
    write: 11000,
    price: 0.13,
  },
  {
    subCategory: 'Enterprise SSDs',
    form: 'U.2 15 mm',
    bus: 'PCIe 4.0 x4',
    read: 6800,
    write: 4000,
    price: 0.2,
  },
]
const SIZES = [250, 480, 500, 960, 1000, 1920, 2000, 3840, 4000, 7680]

/** Solid state drives for desktops and servers. */
export const ssds: Family = {
  key: 'ssd',
  count: 320,
  segment: SEGMENTS.it,
  category: 'Storage',
  makers: [makers.stratamem, makers.memcairn, makers.quandrel],
  draft(random, maker) {
    const kind = random.pick(KINDS)
    const server = kind.subCategory === 'Enterprise SSDs'
    const gigabytes = random.pick(SIZES.filter((size) => server === (size % 480 === 0)))
    const capacity = gigabytes < 1000 ? `${gigabytes} GB` : `${gigabytes / 1000} TB`
    const cells = random.pick(['TLC', 'TLC', 'QLC'])
    const writes = server ? random.pick([1, 3]) : 0.3
    const locked = random.chance(0.3)
    const series = `${random.pick(maker.lines)} ${random.pick(['S', 'P', 'X'])}${random.pick([40, 55, 70, 90])}`
    return {
      name: `${series} SSD ${capacity} ${kind.form} ${kind.bus} ${cells}${locked ? ' self-encrypting' : ''}${server ? ` ${writes} DWPD` : ''}`,
      description: `${capacity} solid state drive, ${kind.form}, ${kind.bus}, ${cells} flash. Reads up to ${kind.read} MB/s and writes up to ${kind.write} MB/s.${locked ? ' Encrypts everything with AES-256.' : ''}${server ? ' With power-loss protection for servers.' : ''}`,
      subCategory: kind.subCategory,
      unspsc: '43201830',
      code: `${String(gigabytes).padStart(5, '0')}${kind.bus[0]}${cells[0]}${locked ? 'E' : ''}`,
      msrp: shopPrice(19 + gigabytes * kind.price * (cells === 'QLC' ? 0.85 : 1) + writes * 25),
      attributes: {
        Capacity: capacity,
        'Form factor': kind.form,
        Interface: kind.bus,
        'Sequential read': `${kind.read} MB/s`,
        'Sequential write': `${kind.write} MB/s`,
        'Flash type': `3D ${cells}`,
        Endurance: `${Math.round(gigabytes * writes * 1.825)} TBW`,
        Encryption: locked ? 'AES-256' : 'No',
        'Mean time between failures': '1,800,000 h',
        Warranty: '5 years',
      },
      facets: {
        'Storage capacity': capacity,
        'Form factor': kind.form,
        Interface: kind.bus,
        'Flash type': cells,
        Encryption: locked ? 'Yes' : 'No',
      },
      filters: {
        'Storage (GB)': gigabytes,
        'Read speed (MB/s)': kind.read,
        'Write speed (MB/s)': kind.write,
      },
    }
  },
}
