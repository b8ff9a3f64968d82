import { getInsights } from 'aisle-client'
import { useEffect, useState } from 'preact/hooks'
import { useShop } from '../shop/shop.ts'
import type { Insight, Product } from '../shop/types.ts'
import { historyOf } from './history-lines.ts'

const WIDTH = 600
const HEIGHT = 150
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })

/** A chart of each vendor's price over time. */
export function PriceHistory({ product: { id, catalog } }: { product: Product }) {
  const { connection, session, price } = useShop()
  const [points, setPoints] = useState<readonly Insight[]>([])
  useEffect(() => {
    if (!session.isMember) return
    getInsights(connection, { catalog, id }).then(
      ({ vendorInsights }) => setPoints(vendorInsights),
      // The page is useful without the chart.
      () => undefined,
    )
  }, [connection, session, catalog, id])
  const history = historyOf(points, { width: WIDTH, height: HEIGHT, now: Date.now() })
  if (!history) return null
  const { from, to, least, most, lines } = history
  return (
    <section class="history" aria-labelledby="history">
      <h2 id="history">Price history since {day.format(from)}</h2>
      <div class="history-chart">
        {most > least && <span>{price(most)}</span>}
        <svg viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`} preserveAspectRatio="none" aria-hidden="true">
          {lines.map(({ vendor, path }, at) => (
            <path key={vendor} d={path} class={`line-${at % 6}`} />
          ))}
        </svg>
        <span>{price(least)}</span>
        <span class="history-end">{day.format(to)}</span>
      </div>
      <ul class="history-lines">
        {lines.map(({ vendor, last }, at) => (
          <li key={vendor} class={`line-${at % 6}`}>
            {vendor}{' '}
            <span class="amount">{last === undefined ? 'No longer offered' : price(last)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
