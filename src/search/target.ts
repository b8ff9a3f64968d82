import type { Assignment } from '../analytics/experiment.ts'
import type { Collection } from '../elastic/collection.ts'
import { isSpread } from '../elastic/place.ts'
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

/** The catalog that is searched, and for whom. */
export interface SearchTarget
  extends Pick<SearchContext, 'tuning' | 'popular' | 'learned' | 'readsSettings'> {
  readonly products: Pick<Collection<ViewableDocument>, 'place' | 'search' | 'count'>
  readonly viewer: Viewer
  /** What the catalog's texts are read as. */
  readonly language: Language
  readonly signal: AbortSignal
  /** Absent where no request has a cursor. */
  readonly walks?: CursorWalks
  /** The walk of this request, where it stays at one point in time. */
  readonly walk?: CursorWalk | undefined
  /** The part of the search in an experiment, which `tuning` follows from. */
  readonly assignment?: Assignment | undefined
  /** By which its rules begin and end. */
  readonly now?: Date
  /** Steps of understanding that are left out, to measure what each contributes. */
  readonly without?: ReadonlySet<StepName>
}

/** Whose annotations and words count in a search. */
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

/** With what the rules of the catalog do to a search. Throws Forbidden for what the viewer may not use. */
export function ruledCriteria({ tuning, now, viewer }: SearchTarget, asked: Criteria): Criteria {
  const criteria = refuseHidden(asked, viewer)
  return tuning && now ? withRules(criteria, tuning.rules, now) : criteria
}

/**
 * What identifies a walk: the catalog, the caller, the conditions and the order. Settings of the
 * shop may change meanwhile.
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

/** Without the places of pins where a walk began with others: nothing is lost then. */
export function asWalked(criteria: Criteria, position: CursorPosition | undefined): Criteria {
  const { rules } = criteria
  if (!position || !rules || position.pinned?.print === pinsPrint(criteria)) return criteria
  return { ...criteria, rules: { ...rules, pins: [] } }
}

/** By the order of words alone; in others a product has its place from its own values. */
export async function walkOf(
  { walks, signal }: SearchTarget,
  criteria: Criteria,
  position: CursorPosition | undefined,
): Promise<CursorWalk | undefined> {
  if (criteria.cursor === null || !isByWords(criteria)) return undefined
  if (!position) return walks?.begin(signal)
  return position.walk === undefined ? undefined : walks?.read(position.walk)
}
