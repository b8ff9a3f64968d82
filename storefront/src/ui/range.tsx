import { useEffect, useState } from 'preact/hooks'
import type { NumberFacet, RangesState } from '../shop/connect-ranges.ts'
import { count } from './offers.ts'
import { edgesOf, placeOf } from './range-scale.ts'

interface RangeProps {
  readonly number: NumberFacet
  readonly unit?: string | undefined
  readonly choose: RangesState['choose']
  readonly isOpen: boolean
}

const HEIGHT = 40

/** A filter for a numeric range: a histogram with two thumbs, and inputs for exact bounds. */
export function RangeFilter({ number, unit, choose, isOpen }: RangeProps) {
  const { attribute, name, ranges, from, to } = number
  const edges = edgesOf(ranges)
  const last = edges.length - 1
  const [low, setLow] = useState(0)
  const [high, setHigh] = useState(last)
  useEffect(() => {
    setLow(from === undefined ? 0 : placeOf(edges, from))
    setHigh(to === undefined ? last : placeOf(edges, to))
  }, [from, to, edges.join()])
  if (last < 1) return null
  const most = Math.max(...ranges.map(({ count }) => count))
  const commit = (nextLow: number, nextHigh: number) => {
    const end = (place: number, open: number, now: number | undefined) =>
      place === open ? undefined : Number.isInteger(place) ? edges[place] : now
    choose(attribute, end(nextLow, 0, from), end(nextHigh, last, to))
  }
  return (
    <details class="filter" open={isOpen}>
      <summary>
        {name}
        {unit && <span class="amount"> {unit}</span>}
      </summary>
      <div class="range">
        <svg
          class="histogram"
          viewBox={`0 0 ${last * 10} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {ranges.map(({ min, count: products }, at) => {
            const height = products === 0 ? 0 : Math.max(2, (products / most) * HEIGHT)
            const isIn = at + 1 > low && at < high
            return (
              <rect
                key={min}
                x={at * 10 + 0.5}
                y={HEIGHT - height}
                width={9}
                height={height}
                class={isIn ? 'is-in' : ''}
              />
            )
          })}
        </svg>
        <div class="thumbs">
          <input
            type="range"
            aria-label={`${name}, minimum`}
            aria-valuetext={count(from ?? edges[Math.round(low)]!)}
            min={0}
            max={last}
            step={1}
            value={low}
            onInput={(event) => setLow(Math.min(Number(event.currentTarget.value), high - 1))}
            onChange={() => commit(low, high)}
          />
          <input
            type="range"
            aria-label={`${name}, maximum`}
            aria-valuetext={count(to ?? edges[Math.round(high)]!)}
            min={0}
            max={last}
            step={1}
            value={high}
            onInput={(event) => setHigh(Math.max(Number(event.currentTarget.value), low + 1))}
            onChange={() => commit(low, high)}
          />
        </div>
      </div>
      <form
        key={`${from} ${to}`}
        class="ends"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          choose(attribute, endOf(form.get('from')), endOf(form.get('to')))
        }}
      >
        <EndInput name="from" label={`${name}, minimum`} value={from} open={number.min} />
        <span aria-hidden="true">to</span>
        <EndInput name="to" label={`${name}, maximum`} value={to} open={number.max} />
        <button type="submit" class="button">
          Go
        </button>
      </form>
    </details>
  )
}

interface EndProps {
  readonly name: string
  readonly label: string
  readonly value: number | undefined
  readonly open: number
}

const EndInput = ({ name, label, value, open }: EndProps) => (
  <input
    type="number"
    name={name}
    aria-label={label}
    step="any"
    defaultValue={value === undefined ? '' : String(value)}
    placeholder={String(open)}
  />
)

function endOf(text: FormDataEntryValue | null): number | undefined {
  const number = text === null || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : undefined
}
