import { SEPARATOR } from '../text.ts'
import { chosenFacets } from './chosen-facets.ts'
import type { Criteria } from './criteria.ts'
import type { CategoryBranch, RangeFacets } from './facet-response-schemas.ts'
import type { Facets, ValueCounts } from './read-facets.ts'
import { chosenValues, nameIn, selectedGroups } from './selections.ts'
import type { FacetSettings } from './tuning/schemas.ts'

type Tree = Map<string, Map<string, number>>

const add = (tree: Tree, outer: string, inner: string, count: number): void => {
  const counts = tree.get(outer) ?? new Map<string, number>()
  tree.set(outer, counts.set(inner, (counts.get(inner) ?? 0) + count))
}

/** Counts of segments, of categories by segment, and of sub-categories by category. */
function treesOf(paths: ValueCounts) {
  const segments = new Map<string, number>()
  const categories: Tree = new Map()
  const subCategories: Tree = new Map()
  for (const [path, count] of paths) {
    const [segment = '', category = '', subCategory = ''] = path.split(SEPARATOR)
    segments.set(segment, (segments.get(segment) ?? 0) + count)
    if (category !== '') add(categories, segment, category, count)
    if (subCategory !== '') add(subCategories, category, subCategory, count)
  }
  return { segments, categories, subCategories }
}

const commonestFirst = (counts: ValueCounts | undefined): string[] =>
  [...(counts ?? [])]
    .sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1))
    .map(([value]) => value)

const object = <T, U>(map: ReadonlyMap<string, T>, of: (item: T) => U): Record<string, U> =>
  Object.fromEntries([...map].map(([name, item]) => [name, of(item)]))

const numbersOf = (counts: ValueCounts): Record<string, number> => object(counts, (count) => count)

const listOf = (counts: ValueCounts) => [...counts].map(([value, count]) => ({ value, count }))

const listsOf = ({ facets, manufacturers, vendors }: Facets) => ({
  facets: [...facets].map(([name, values]) => ({ name, values: listOf(values) })),
  manufacturers: listOf(manufacturers),
  vendors: listOf(vendors),
})

/** Metadata as it is returned, with what was requested by `counts`, `facetSearch` and `facets`. */
export function shownMetadata(facets: Facets, criteria: Criteria, settings?: FacetSettings) {
  const { segments, categories, subCategories } = treesOf(facets.paths)
  for (const segment of chosenValues(criteria, 'segment')) {
    if (!segments.has(segment)) segments.set(segment, 0)
  }
  const shown = chosenFacets(facets.facets, {
    wishes: criteria.facets,
    settings,
    selected: selectedGroups(criteria)
      .filter((group) => group.startsWith('facet:'))
      .map(nameIn),
  })
  return {
    segments: Object.fromEntries(
      commonestFirst(segments).map((segment) => [segment, commonestFirst(categories.get(segment))]),
    ),
    vendors: [...facets.vendors.keys()],
    manufacturers: [...facets.manufacturers.keys()],
    facets: object(shown, (values) => [...values.keys()]),
    filters: Object.fromEntries(
      [...facets.numbers].map(([key, { min, max }]) => [
        key,
        { key, min: min ?? 0, max: max ?? 0 },
      ]),
    ),
    ...(criteria.counts
      ? {
          counts: {
            segments: numbersOf(new Map([...segments].filter(([segment]) => segment !== ''))),
            categories: object(categories, numbersOf),
            subCategories: object(subCategories, numbersOf),
            manufacturers: numbersOf(facets.manufacturers),
            vendors: numbersOf(facets.vendors),
            facets: object(shown, numbersOf),
            price: facets.prices,
          },
        }
      : {}),
    ...(facets.found ? { facetSearch: numbersOf(facets.found) } : {}),
    ...(criteria.facets?.lists ? { lists: listsOf({ ...facets, facets: shown }) } : {}),
  }
}

/** Has `ranges` and `categoryTree` if they were requested. */
export type Metadata = ReturnType<typeof shownMetadata> & {
  readonly ranges?: RangeFacets
  readonly categoryTree?: readonly CategoryBranch[]
}
