import type { Assignment } from '../analytics/experiment.ts'
import type { Collection } from '../elastic/collection.ts'
import { isSpread } from '../elastic/place.ts'
import type { SearchBatchMember } from '../elastic/search-batching.ts'
import type { Language } from '../languages/language.ts'
import type { ViewableDocument, Viewer } from '../products/view.ts'
import type { SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import { type CursorPosition, readCursor } from './cursor.ts'
import { fingerprint } from './fingerprint.ts'
import { pinsPrint } from './pins.ts'
import { baseQuery } from './queries.ts'
import { refuseHidden } from './restricted-criteria.ts'
import { selectionClauses } from './selections.ts'
import { isByWords, orderOf } from './sort.ts'
import { withRules } from './tuning/rules.ts'
import { readingOf } from './understanding/reading.ts'
import type { StepName } from './understanding/understanding.ts'
import type { CursorWalk, CursorWalks } from './walk.ts'

/** The catalog that is searched, and the caller. */
export interface SearchTarget
  extends Pick<SearchContext, 'tuning' | 'popular' | 'learned' | 'readsSettings'> {
  readonly products: Pick<Collection<ViewableDocument>, 'place' | 'search' | 'count'>
  readonly viewer: Viewer
  /** The language of the catalog. */
  readonly language: Language
  readonly signal: AbortSignal
  /** The piece of several searches that this one is. */
  readonly piece?: Pick<SearchBatchMember, 'turn' | 'spend'> | undefined
  /** Absent if requests cannot have a cursor. */
  readonly walks?: CursorWalks
  /** The walk of this request, if it has a point in time. */
  readonly walk?: CursorWalk | undefined
  /** The part of the search in an experiment, which determines `tuning`. */
  readonly assignment?: Assignment | undefined
  /** The time at which rules apply. */
  readonly now?: Date
  /** Whether rules pin nothing, so that only products with the words are found. */
  readonly ignoresPins?: boolean
  /** Steps of understanding to skip, for measuring what each contributes. */
  readonly without?: ReadonlySet<StepName>
}

export const searchContextOf = ({
  products,
  viewer,
  language,
  tuning,
  popular,
  learned,
  readsSettings,
}: SearchTarget): SearchContext => ({
  organization: viewer.organization,
  username: viewer.username,
  scope: products.place.scope!,
  narrowed: products.place.visible?.filter !== undefined || isSpread(products.place),
  language,
  tuning,
  popular,
  learned,
  readsSettings,
})

/** Applies the rules of the catalog. Throws Forbidden for what the viewer may not use. */
export function ruledCriteria(
  { tuning, now, viewer, ignoresPins = false }: SearchTarget,
  asked: Criteria,
): Criteria {
  const criteria = refuseHidden(asked, viewer)
  const ruled = tuning && now ? withRules(criteria, tuning.rules, now) : criteria
  return ignoresPins && ruled.rules ? { ...ruled, rules: { ...ruled.rules, pins: [] } } : ruled
}

/**
 * Fingerprint of a walk: its catalog, organization, conditions and order. Search settings are not
 * part of it, since they may change during a walk.
 */
export function printOf(target: SearchTarget, criteria: Criteria): string {
  if (criteria.cursor === null) return ''
  const context = searchContextOf({ ...target, tuning: undefined })
  const asked = { ...criteria, rules: null }
  const more = selectionClauses(asked, context)
  const query = baseQuery(asked, context, {
    reading: readingOf(asked, { language: target.language }),
    more,
  })
  const { visible } = target.products.place
  const { prices, hidden } = criteria
  const seen = [
    ...(visible ? [visible.filter ?? null] : []),
    ...(prices ? [prices.list] : []),
    ...(hidden ? [hidden] : []),
  ]
  return fingerprint([context.scope, context.organization, query, orderOf(criteria).sort, ...seen])
}

export function positionOf({ walks }: SearchTarget, criteria: Criteria, print: string) {
  if (!walks || criteria.cursor === null || criteria.cursor === '*') return undefined
  return readCursor(walks.open(criteria.cursor), { print, kinds: orderOf(criteria).kinds })
}

/** Drops the pins if the walk started with different ones, so that no product gets lost. */
export function withoutChangedPins(
  criteria: Criteria,
  position: CursorPosition | undefined,
): Criteria {
  const { rules } = criteria
  if (!position || !rules || position.pinned?.print === pinsPrint(criteria)) return criteria
  return { ...criteria, rules: { ...rules, pins: [] } }
}

/** Only the order by words needs a point in time; others follow from the products' own values. */
export async function walkOf(
  { walks, signal }: SearchTarget,
  criteria: Criteria,
  position: CursorPosition | undefined,
): Promise<CursorWalk | undefined> {
  if (criteria.cursor === null || !isByWords(criteria)) return undefined
  if (!position) return walks?.begin(signal)
  return position.walk === undefined ? undefined : walks?.read(position.walk)
}
