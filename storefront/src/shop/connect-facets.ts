import { escapeValue, facetAttribute, facetName, unescapeValue } from 'aisle-client'
import type { IndexUiState, Widget } from 'instantsearch.js'
import type { Helper, SearchParameters } from './helper.ts'
import type { Counted, SearchAnswer } from './types.ts'

export interface Facet {
  readonly attribute: string
  readonly name: string
  readonly values: readonly (Counted & { readonly isChosen: boolean })[]
}

export interface FacetsState {
  readonly facets: readonly Facet[]
  choose(attribute: string, value: string): void
  find(attribute: string, text: string): Promise<readonly Counted[]>
}

/** Facets that every catalog has, with their labels. */
const FIXED = { manufacturer: 'Brand', vendor: 'Vendor' } as const
const isOurs = (attribute: string) => attribute in FIXED || facetName(attribute) !== undefined
const FOUND_VALUES = 20

/**
 * All facets as one widget: each answer says which facets there are, most selective first. A
 * `refinementList` for each facet would know only those that were there when the page loaded.
 */
export function connectFacets(show: (state: FacetsState) => void): Widget {
  let helper: Helper
  let shown: readonly unknown[] = []
  const choose = (attribute: string, value: string) => {
    const declared = helper.state.isDisjunctiveFacet(attribute)
      ? helper.state
      : helper.state.addDisjunctiveFacet(attribute)
    helper.setState(declared.toggleFacetRefinement(attribute, escapeValue(value)).resetPage())
    helper.search()
  }
  const find = async (attribute: string, text: string) => {
    const { facetHits } = await helper.searchForFacetValues(attribute, text, FOUND_VALUES)
    return facetHits
  }
  return {
    $$type: 'aisle.facets',
    init(options) {
      helper = options.helper
      show({ facets: [], choose, find })
    },
    render({ results, state }) {
      const { aisle } = (results?._rawResults[0] ?? {}) as { aisle?: SearchAnswer }
      const next = [aisle, state.disjunctiveFacetsRefinements]
      if (!aisle || next.every((part, at) => part === shown[at])) return
      shown = next
      show({ facets: facetsOf(aisle, state), choose, find })
    },
    dispose: ({ state }) =>
      chosenIn(state).reduce((rest, [attribute]) => rest.removeDisjunctiveFacet(attribute), state),
    getWidgetUiState(
      uiState: IndexUiState,
      { searchParameters }: { searchParameters: SearchParameters },
    ) {
      const chosen = chosenIn(searchParameters)
      if (chosen.length === 0) return uiState
      const plain = chosen.map(([name, values]) => [name, values.map(unescapeValue)])
      return { ...uiState, refinementList: Object.fromEntries(plain) }
    },
    getWidgetSearchParameters(
      parameters: SearchParameters,
      { uiState }: { uiState: IndexUiState },
    ) {
      const cleared = chosenIn(parameters).reduce(
        (rest, [attribute]) => rest.removeDisjunctiveFacet(attribute),
        parameters,
      )
      return Object.entries(uiState.refinementList ?? {})
        .filter(([attribute]) => isOurs(attribute))
        .reduce(
          (all, [attribute, values]) =>
            values.reduce(
              (some, value) => some.addDisjunctiveFacetRefinement(attribute, escapeValue(value)),
              all.addDisjunctiveFacet(attribute),
            ),
          cleared,
        )
    },
  } as Widget
}

const chosenIn = ({ disjunctiveFacetsRefinements: all }: SearchParameters) =>
  Object.entries(all).filter(([name, values]) => isOurs(name) && values.length > 0)

function facetsOf({ metadata }: SearchAnswer, state: SearchParameters): Facet[] {
  const { lists } = metadata ?? {}
  if (!lists) return []
  const facet = (attribute: string, name: string, values: readonly Counted[]): Facet => {
    const chosen = state.disjunctiveFacetsRefinements[attribute]?.map(unescapeValue) ?? []
    return {
      attribute,
      name,
      values: values.map((entry) => ({ ...entry, isChosen: chosen.includes(entry.value) })),
    }
  }
  return [
    facet('manufacturer', FIXED.manufacturer, lists.manufacturers),
    ...lists.facets.map(({ name, values }) => facet(facetAttribute(name), name, values)),
    facet('vendor', FIXED.vendor, lists.vendors),
  ].filter(({ values }) => values.length > 0)
}
