import { numberAttribute, numberName } from 'aisle-client'
import type { IndexUiState, Widget } from 'instantsearch.js'
import type { Helper, SearchParameters } from './helper.ts'
import type { Range, SearchAnswer } from './types.ts'

export interface NumberFacet {
  readonly attribute: string
  readonly name: string
  readonly min: number
  readonly max: number
  readonly step: number
  readonly ranges: readonly Range[]
  /** Bounds of the chosen range; undefined for an open end. */
  readonly from: number | undefined
  readonly to: number | undefined
}

export interface RangesState {
  readonly numbers: readonly NumberFacet[]
  choose(attribute: string, from: number | undefined, to: number | undefined): void
}

const PRICE = 'price'
/** A number that fewer of the found products have is not offered as a filter. */
const LEAST_SHARE = 0.6
const MOST_NUMBERS = 3
const isOurs = (attribute: string) => attribute === PRICE || numberName(attribute) !== undefined

/** The price and the numbers of the found products, each with its histogram. */
export function connectRanges(show: (state: RangesState) => void): Widget {
  let helper: Helper
  let shown: readonly unknown[] = []
  const choose: RangesState['choose'] = (attribute, from, to) => {
    helper.setState(narrowed(helper.state, attribute, from, to).resetPage())
    helper.search()
  }
  return {
    $$type: 'aisle.ranges',
    init(options) {
      helper = options.helper
      show({ numbers: [], choose })
    },
    render({ results, state }) {
      const { aisle } = (results?._rawResults[0] ?? {}) as { aisle?: SearchAnswer }
      const next = [aisle, state.numericRefinements]
      if (!aisle || next.every((part, at) => part === shown[at])) return
      shown = next
      show({ numbers: numbersOf(aisle, state), choose })
    },
    dispose: ({ state }) =>
      attributesIn(state).reduce((rest, name) => rest.removeNumericRefinement(name), state),
    getWidgetUiState(
      uiState: IndexUiState,
      { searchParameters }: { searchParameters: SearchParameters },
    ) {
      const names = attributesIn(searchParameters)
      if (names.length === 0) return uiState
      const text = (name: string) => {
        const { from, to } = endsOf(searchParameters, name)
        return `${from ?? ''}:${to ?? ''}`
      }
      return { ...uiState, range: Object.fromEntries(names.map((name) => [name, text(name)])) }
    },
    getWidgetSearchParameters(
      parameters: SearchParameters,
      { uiState }: { uiState: IndexUiState },
    ) {
      const cleared = attributesIn(parameters).reduce(
        (rest, name) => rest.removeNumericRefinement(name),
        parameters,
      )
      return Object.entries(uiState.range ?? {})
        .filter(([name]) => isOurs(name))
        .reduce((all, [name, text]) => {
          const [from, to] = text.split(':').map((end) => (end === '' ? undefined : Number(end)))
          return narrowed(all, name, from, to)
        }, cleared)
    },
  } as Widget
}

/** Swaps bounds that were given the wrong way round. */
function narrowed(state: SearchParameters, name: string, one?: number, other?: number) {
  const isTurned = one !== undefined && other !== undefined && one > other
  const [from, to] = isTurned ? [other, one] : [one, other]
  let next = state.removeNumericRefinement(name)
  if (from !== undefined) next = next.addNumericRefinement(name, '>=', from)
  if (to !== undefined) next = next.addNumericRefinement(name, '<=', to)
  return next
}

const attributesIn = ({ numericRefinements }: SearchParameters) =>
  Object.entries(numericRefinements)
    .filter(([name, ends]) => isOurs(name) && Object.values(ends).some((end) => end?.length))
    .map(([name]) => name)

function endsOf({ numericRefinements }: SearchParameters, name: string) {
  const ends = numericRefinements[name]
  const first = (end: (number | number[])[] | undefined) => [end?.[0]].flat()[0]
  return { from: first(ends?.['>=']), to: first(ends?.['<=']) }
}

function numbersOf({ metadata, total }: SearchAnswer, state: SearchParameters): NumberFacet[] {
  const { price, numbers = [] } = metadata?.ranges ?? {}
  const chosen = attributesIn(state)
  const ends = metadata?.counts?.price
  const all = numbers.map((entry) => ({ ...entry, attribute: numberAttribute(entry.name) }))
  const common = all.filter(
    ({ attribute, ranges }) =>
      chosen.includes(attribute) ||
      ranges.reduce((sum, { count }) => sum + count, 0) >= total * LEAST_SHARE,
  )
  const shown = common.filter(
    ({ attribute }, at) => at < MOST_NUMBERS || chosen.includes(attribute),
  )
  const prices =
    price && price.length > 0 && ends?.min != null && ends.max != null
      ? [
          {
            attribute: PRICE,
            name: 'Price',
            min: ends.min,
            max: ends.max,
            step: 0.01,
            ranges: price,
          },
        ]
      : []
  return [...prices, ...shown].map((entry) => ({ ...entry, ...endsOf(state, entry.attribute) }))
}
