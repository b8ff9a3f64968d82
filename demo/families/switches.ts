import { type Family, SEGMENTS } from '../family.ts'
import { makers } from '../makers.ts'
import { shopPrice } from '../numbers.ts'

const SPEEDS = [
  { label: '1 GbE', gigabits: 1, price: 6 },
  { label: '2.5 GbE', gigabits: 2.5, price: 19 },
  { label: '10 GbE', gigabits: 10, price: 78 },
]
const UPLINKS = ['none', '2x SFP', '4x SFP+', '2x SFP28', '4x SFP28']
const LEVELS = ['Unmanaged', 'Smart managed', 'Managed layer 2', 'Managed layer 3']

/** Ethernet switches from the desk to the rack. */
export const switches: Family = {
  key: 'switch',
  count: 380,
  segment: SEGMENTS.it,
  category: 'Networking',
  makers: [makers.netharbor, makers.switchfell, makers.quandrel],
  draft(random, maker) {
    const ports = random.pick([5, 8, 16, 24, 24, 48])
    const speed = random.pick(SPEEDS)
    const level = ports <= 5 ? 0 : random.whole(0, 3)
    const uplink = level === 0 ? 'none' : random.pick(UPLINKS)
    const budget = random.chance(0.45) ? ports * random.pick([15, 30]) : 0
    const rack = ports >= 16
    const years = random.pick([2, 5, 10])
    const line = `${random.pick(maker.lines)} ${random.pick([110, 220, 350, 500, 720])}`
    const power = budget > 0 ? `PoE+ ${budget} W` : ''
    const title = [
      `${line} ${ports}-port ${speed.label} Switch`,
      LEVELS[level],
      power,
      uplink === 'none' ? '' : uplink,
      `${years} year warranty`,
    ]
    const capacity = Math.round(ports * speed.gigabits * 2)
    return {
      name: title.filter((part) => part !== '').join(', '),
      description: `${ports}-port ${speed.label} Ethernet switch, ${LEVELS[level]!.toLowerCase()}${uplink === 'none' ? '' : `, uplinks ${uplink}`}.${budget > 0 ? ` Powers access points, cameras and phones with up to ${budget} W of PoE+.` : ' Fanless and silent.'} Metal housing for ${rack ? 'a 19 inch rack' : 'desk or wall'}.`,
      subCategory:
        budget > 0 ? 'PoE Switches' : level === 0 ? 'Unmanaged Switches' : 'Managed Switches',
      unspsc: '43222612',
      code: `${ports}${budget > 0 ? 'P' : 'T'}${level}`,
      msrp: shopPrice(
        18 +
          ports * speed.price +
          level * ports * 3.5 +
          budget * 0.9 +
          UPLINKS.indexOf(uplink) * 45,
      ),
      attributes: {
        'Number of ports': String(ports),
        'Port speed': speed.label,
        'Uplink ports': uplink,
        Management: LEVELS[level]!,
        'PoE budget': budget > 0 ? `${budget} W` : 'No PoE',
        'Switching capacity': `${capacity} Gbit/s`,
        'MAC address table': `${random.pick([4, 8, 16, 32])}K entries`,
        'Form factor': rack ? '19 in rack, 1U' : 'Desktop',
        Cooling: budget > 240 ? 'Fan' : 'Fanless',
        'Operating temperature': '0 to 45 °C',
        Warranty: `${years} years`,
      },
      facets: {
        'Number of ports': String(ports),
        'Port speed': speed.label,
        Management: LEVELS[level]!,
        PoE: budget > 0 ? 'Yes' : 'No',
        'Form factor': rack ? 'Rack' : 'Desktop',
      },
      filters: {
        Ports: ports,
        'PoE budget (W)': budget,
        'Switching capacity (Gbit/s)': capacity,
      },
    }
  },
}
