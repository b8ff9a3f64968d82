import type { Hit, SearchAnswer } from '../elastic/search.ts'
import { DEFAULT_LANGUAGE, type Language, textField } from '../languages/language.ts'
import { type ProductView10, toProduct10 } from '../products/responses.ts'
import { withEmptyFields } from '../products/selection.ts'
import { type ViewableDocument, type Viewer, viewProduct } from '../products/view.ts'
import type { CheckedOffer } from '../realtime/checked-offers.ts'
import { wordName } from './clause-names.ts'
import type { SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import type { CursorPosition } from './cursor.ts'
import { explainedReading } from './explanation.ts'
import type { ExplainedReading } from './explanation-schemas.ts'
import type { FoundParts } from './found-product-schemas.ts'
import { groupOfHit, type ProductGroup } from './groups.ts'
import { type PageParts, type PlacedPage, placedPage } from './pins.ts'
import { orderOf } from './sort.ts'
import type { Reading } from './understanding/reading.ts'
import { correctedText } from './understanding/spelling.ts'
import { requiredWords } from './understanding/understanding.ts'

type Highlight = NonNullable<FoundParts['highlight']>

export interface FoundProductView extends Omit<ProductView10, 'vendors'>, FoundParts {
  readonly vendors?: readonly CheckedOffer[] | undefined
}

/** The exact number of products that match. */
export function totalOf({ hits }: SearchAnswer<unknown>): number {
  return typeof hits.total === 'number' ? hits.total : (hits.total?.value ?? 0)
}

/** The hits of one page, and where a walk continues. */
export function pageWith(criteria: Criteria, parts: PageParts): PlacedPage {
  if (parts.pins.length > 0 || parts.position?.pinned) return placedPage(criteria, parts)
  const { hits } = parts.answer.hits
  return { hits: hits.slice(0, criteria.size), next: positionAfter(hits, criteria) }
}

/** What an answer says about rules. Only callers who may read the settings get their names. */
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
  /** The groups of the page by their ids, if they were requested. */
  readonly groups?: ReadonlyMap<string, ProductGroup> | undefined
}

/** The products of a page as the caller sees them. */
export function productsOf(
  hits: readonly Hit<ViewableDocument>[],
  criteria: Criteria,
  { reading, viewer, groups }: ShownParts,
): FoundProductView[] {
  const language = reading.asked?.language ?? DEFAULT_LANGUAGE
  return hits.map((hit) => ({
    ...toProduct10(viewProduct(withEmptyFields(hit._source!), viewer)),
    ...(groups ? { group: groupOfHit(hit._source!, groups) } : {}),
    ...(criteria.highlight ? { highlight: highlightOf(hit, language) } : {}),
  }))
}

function highlightOf({ highlight = {} }: Hit<unknown>, language: Language): Highlight {
  const name = highlight[textField(language, 'name')]?.[0]
  const description = highlight[textField(language, 'description')]
  return { ...(name ? { name } : {}), ...(description ? { description } : {}) }
}

/** Where a walk continues; undefined at its end, when there is no hit beyond the page. */
function positionAfter(hits: readonly Hit<unknown>[], criteria: Criteria): PlacedPage['next'] {
  if (criteria.cursor === null || hits.length <= criteria.size) return undefined
  const sort = hits[criteria.size - 1]!.sort as CursorPosition['after']
  // With a point in time, Elasticsearch adds a tiebreaker that is valid only within it.
  return { after: sort.slice(0, orderOf(criteria).kinds.length) }
}

/** The fields of an answer that tell how the words were read. */
export interface ReadWords {
  readonly droppedWords?: readonly string[]
  readonly correctedTo?: string
  /** null without words. */
  readonly reading?: ExplainedReading
}

/** Reports words that were dropped or corrected, and the whole reading if `explain` is set. */
export const readWords = (
  hits: readonly Hit<unknown>[],
  criteria: Criteria,
  reading: Reading,
): ReadWords => ({
  ...readOtherwise(hits, criteria, reading),
  ...(criteria.explain ? { reading: explainedReading(reading) } : {}),
})

/** Words that were dropped or corrected; empty if all words matched. */
function readOtherwise(
  hits: readonly Hit<unknown>[],
  { keywords }: Criteria,
  { mode, asked, corrections }: Reading,
): ReadWords {
  if (mode === 'strict' || asked === undefined || hits.length === 0) return {}
  const matched = new Set(hits.flatMap(namesOf))
  const dropped = requiredWords(asked).filter((_, index) => !matched.has(wordName(index)))
  const correctedTo = correctedText(keywords!, corrections, new Set(dropped))
  return {
    droppedWords: dropped.map(({ text }) => text),
    ...(correctedTo === undefined ? {} : { correctedTo }),
  }
}

const namesOf = ({ matched_queries: names = [] }: Hit<unknown>): string[] =>
  Array.isArray(names) ? names : Object.keys(names)
