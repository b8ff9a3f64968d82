import type { Insight } from '../shop/types.ts'

interface HistoryLine {
  readonly vendor: string
  /** The current price; undefined if the offer no longer has one. */
  readonly last: number | undefined
  /** A stepped SVG path in a box of `width` by `height`. */
  readonly path: string
}

export interface History {
  readonly from: number
  readonly to: number
  readonly least: number
  readonly most: number
  readonly lines: readonly HistoryLine[]
}

interface Plane {
  readonly width: number
  readonly height: number
  /** End of the time axis in milliseconds since the epoch. */
  readonly now: number
}

/** Prices over time as stepped lines, one per vendor; undefined if there are no prices. */
export function historyOf(points: readonly Insight[], plane: Plane): History | undefined {
  const prices = points.flatMap(({ price }) => (price === null ? [] : [price]))
  if (prices.length === 0) return undefined
  const times = points.map(({ date }) => Date.parse(date))
  const from = Math.min(...times)
  const to = Math.max(plane.now, ...times)
  const least = Math.min(...prices)
  const most = Math.max(...prices)
  const x = (time: number) => round(((time - from) / (to - from || 1)) * plane.width)
  // A price that never changed is drawn in the middle.
  const share = (price: number) => (most === least ? 0.5 : (price - least) / (most - least))
  const y = (price: number) => round(plane.height - share(price) * plane.height)
  const vendors = [...new Set(points.map(({ vendor }) => vendor))]
  const lines = vendors.map((vendor) => {
    const own = points
      .filter((point) => point.vendor === vendor)
      .sort((a, b) => Date.parse(a.date) - Date.parse(b.date))
    const steps = own.map(({ date, price }, at) => {
      if (price === null) return ''
      const before = own[at - 1]?.price
      const start = before === undefined || before === null ? 'M' : 'L'
      const end = own[at + 1] ? Date.parse(own[at + 1]!.date) : to
      return `${start}${x(Date.parse(date))} ${y(price)}L${x(end)} ${y(price)}`
    })
    return { vendor, last: own.at(-1)?.price ?? undefined, path: steps.join('') }
  })
  return { from, to, least, most, lines }
}

const round = (number: number): number => Math.round(number * 10) / 10
