import { searchReportByDay } from 'aisle-client'
import { useCallback } from 'preact/hooks'
import { count, plural } from '../../ui/offers.ts'
import { useConsole } from '../console.ts'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'

const HEIGHT = 100

/** A chart of searches per day, with those without results below. */
export function Days({ catalog }: { catalog: string }) {
  const { connection } = useConsole()
  const load = useCallback(
    (signal: AbortSignal) => searchReportByDay(connection, { catalog }, { signal }),
    [connection, catalog],
  )
  return (
    <Shown of={useLoaded(load)}>
      {({ totals, days }) => {
        const most = Math.max(1, ...days.map(({ searches }) => searches))
        const said = `${plural(totals.searches, 'search', 'searches')}, ${count(totals.withoutResults)} without results`
        return (
          <figure class="days">
            <svg
              viewBox={`0 0 ${days.length} ${HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={said}
            >
              {days.map(({ day, searches, withoutResults }, at) => (
                <g key={day}>
                  <title>{`${day}: ${count(searches)} searches, ${count(withoutResults)} without results`}</title>
                  <Bar at={at} share={searches / most} />
                  <Bar at={at} share={withoutResults / most} isBad />
                </g>
              ))}
            </svg>
            <figcaption>
              {days[0]?.day} to {days.at(-1)?.day}: {said}
            </figcaption>
          </figure>
        )
      }}
    </Shown>
  )
}

const Bar = ({ at, share, isBad = false }: { at: number; share: number; isBad?: boolean }) => (
  <rect
    class={isBad ? 'is-bad' : undefined}
    x={at + 0.1}
    width={0.8}
    y={HEIGHT * (1 - share)}
    height={HEIGHT * share}
  />
)
