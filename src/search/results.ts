import type { Hit, SearchAnswer } from '../elastic/search.ts'
import { DEFAULT_LANGUAGE, type Language, textField } from '../languages/language.ts'
import { type ProductView10, toProduct10 } from '../products/responses.ts'
import { completed } from '../products/selection.ts'
import { type ViewableDocument, type Viewer, viewProduct } from '../products/view.ts'
import type { CheckedOffer } from '../realtime/checked-offers.ts'
import { wordName } from './clause-names.ts'
import type { SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import type { CursorPosition } from './cursor.ts'
import { explainedReading } from './explanation.ts'
import type { ExplainedReading, Explanation } from './explanation-schemas.ts'
import { groupOfHit, type ProductGroup } from './groups.ts'
import { type PageParts, type PlacedPage, placedPage } from './pins.ts'
import { orderOf } from './sort.ts'
import type { Reading } from './understanding/reading.ts'
import { correctedText } from './understanding/spelling.ts'
import { wantedWords } from './understanding/understanding.ts'

/** Where a product's words were found; texts are HTML with the words in `<em>`. */
interface Highlight {
  readonly name?: string
  readonly description?: readonly string[]
}

export interface FoundProduct extends Omit<ProductView10, 'vendors'> {
  readonly vendors?: readonly CheckedOffer[] | undefined
  readonly group?: ProductGroup
  readonly highlight?: Highlight
  readonly explanation?: Explanation
}

/** The exact number of products that match. */
export function totalOf({ hits }: SearchAnswer<unknown>): number {
  return typeof hits.total === 'number' ? hits.total : (hits.total?.value ?? 0)
}

/** The hits of one page, and where a walk goes on. */
export function pageWith(criteria: Criteria, parts: PageParts): PlacedPage {
  if (parts.pins.length > 0 || parts.position?.pinned) return placedPage(criteria, parts)
  const { hits } = parts.answer.hits
  return { hits: hits.slice(0, criteria.size), next: positionAfter(hits, criteria) }
}

/** Names of rules are for those who may read the settings. */
export const ruledBy = (
  { rules }: Criteria,
  { readsSettings }: Pick<SearchContext, 'readsSettings'>,
): { readonly rules?: readonly string[]; readonly redirect?: string } => ({
  ...(rules && readsSettings ? { rules: rules.names } : {}),
  ...(rules && rules.redirect !== null ? { redirect: rules.redirect } : {}),
})

interface ShownParts {
  readonly reading: Reading
  readonly viewer: Viewer
  /** The groups of the page by their id, where they were asked for. */
  readonly groups?: ReadonlyMap<string, ProductGroup> | undefined
}

/** Products as their caller sees them, in the order of the answer. */
export function productsOf(
  hits: readonly Hit<ViewableDocument>[],
  criteria: Criteria,
  { reading, viewer, groups }: ShownParts,
): FoundProduct[] {
  const language = reading.asked?.language ?? DEFAULT_LANGUAGE
  return hits.map((hit) => ({
    ...toProduct10(viewProduct(completed(hit._source!), viewer)),
    ...(groups ? { group: groupOfHit(hit._source!, groups) } : {}),
    ...(criteria.highlight ? { highlight: highlightOf(hit, language) } : {}),
  }))
}

function highlightOf({ highlight = {} }: Hit<unknown>, language: Language): Highlight {
  const name = highlight[textField(language, 'name')]?.[0]
  const description = highlight[textField(language, 'description')]
  return { ...(name ? { name } : {}), ...(description ? { description } : {}) }
}

/** Where a walk goes on, which asks for one more hit than it shows; undefined at its end. */
function positionAfter(hits: readonly Hit<unknown>[], criteria: Criteria): PlacedPage['next'] {
  if (criteria.cursor === null || hits.length <= criteria.size) return undefined
  const sort = hits[criteria.size - 1]!.sort as CursorPosition['after']
  // Within a point in time Elasticsearch adds a place that means nothing outside of it.
  return { after: sort.slice(0, orderOf(criteria).kinds.length) }
}

/** How the words were read, of what an answer says beside its products. */
export interface ReadWords {
  readonly droppedWords?: readonly string[]
  readonly correctedTo?: string
  /** null without words. */
  readonly reading?: ExplainedReading
}

/** How the words were read: where not as they are, and all of it where it is to be explained. */
export const readWords = (
  hits: readonly Hit<unknown>[],
  criteria: Criteria,
  reading: Reading,
): ReadWords => ({
  ...readOtherwise(hits, criteria, reading),
  ...(criteria.explain ? { reading: explainedReading(reading) } : {}),
})

/** What was looked for in place of the words that were typed; nothing where all of them matched. */
function readOtherwise(
  hits: readonly Hit<unknown>[],
  { keywords }: Criteria,
  { mode, asked, corrections }: Reading,
): ReadWords {
  if (mode === 'strict' || asked === undefined || hits.length === 0) return {}
  const matched = new Set(hits.flatMap(namesOf))
  const dropped = wantedWords(asked).filter((_, index) => !matched.has(wordName(index)))
  const correctedTo = correctedText(keywords!, corrections, new Set(dropped))
  return {
    droppedWords: dropped.map(({ text }) => text),
    ...(correctedTo === undefined ? {} : { correctedTo }),
  }
}

const namesOf = ({ matched_queries: names = [] }: Hit<unknown>): string[] =>
  Array.isArray(names) ? names : Object.keys(names)
