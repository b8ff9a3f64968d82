import { anyOf, none } from '../elastic/clauses.ts'
import type { Hit, Query, SearchAnswer } from '../elastic/search.ts'
import type { ViewableDocument } from '../products/view.ts'
import type { Criteria } from './criteria.ts'
import type { CursorPosition } from './cursor.ts'
import { fingerprint } from './fingerprint.ts'
import { orderOf } from './sort.ts'
import type { Pin } from './tuning/applied-rules.ts'

/** Products with a fixed place that fulfil the search, words aside. */
export interface PlacedPin {
  readonly position: number
  readonly hit: Hit<ViewableDocument>
}

/** Places that pins have in the order of relevance; none in others, which say what comes first. */
export const wantedPins = ({ rules, sort }: Criteria): readonly Pin[] =>
  sort === 'relevance' && rules ? rules.pins : []

/** Tells pins apart: a walk that began with others goes on without any. */
export const pinsPrint = (criteria: Criteria): string =>
  fingerprint(wantedPins(criteria).map(({ product, position }) => [product, position]))

/** The pins that were found; of a group the first alone where groups are asked for. */
export function placedPins(
  { hits }: SearchAnswer<ViewableDocument>,
  criteria: Criteria,
): PlacedPin[] {
  const byId = new Map(hits.hits.map((hit) => [hit._source!.product.id, hit]))
  const groups = new Set<string>()
  return wantedPins(criteria).flatMap(({ product, position }) => {
    const hit = byId.get(product)
    if (!hit) return []
    const { groupId } = hit._source!.product
    if (criteria.group && groupId) {
      if (groups.has(groupId)) return []
      groups.add(groupId)
    }
    return [{ position, hit }]
  })
}

/** What is pinned has no other place, nor has its group. */
export function withoutPins(pins: readonly PlacedPin[], { group }: Criteria): Query | undefined {
  const products = pins.map(({ hit }) => hit._source!.product)
  const groups = group ? products.flatMap(({ groupId }) => groupId ?? []) : []
  return none([
    anyOf(
      'search.id',
      products.map(({ id }) => id),
    ),
    anyOf('search.groupId', groups),
  ])
}

/** How many pins stand before a place, counted from 0, when others fill all places between. */
export const pinsBefore = (pins: readonly PlacedPin[], place: number): number =>
  pins.filter(({ position }) => position - 1 < place).length

export interface PageParts {
  readonly answer: SearchAnswer<ViewableDocument>
  readonly pins: readonly PlacedPin[]
  /** Products, or groups, that match and are not pinned. */
  readonly others: number
  readonly position: CursorPosition | undefined
}

export interface PlacedPage {
  readonly hits: readonly Hit<ViewableDocument>[]
  /** Where a walk goes on; undefined at its end. */
  readonly next: Omit<CursorPosition, 'mode' | 'walk'> | undefined
}

/** One page with pins at their places; those behind the last of the others follow it. */
export function placedPage(criteria: Criteria, parts: PageParts): PlacedPage {
  const { answer, pins, others, position } = parts
  const { size, cursor } = criteria
  const start = position?.pinned?.shown ?? criteria.from
  const places = new Map<number, Hit<ViewableDocument>>()
  let last = -1
  for (const [index, pin] of pins.entries()) {
    last = Math.max(last + 1, Math.min(pin.position - 1, others + index))
    places.set(last, pin.hit)
  }
  const found = answer.hits.hits
  const hits: Hit<ViewableDocument>[] = []
  let used = 0
  for (let place = start; place < start + size; place++) {
    const hit = places.get(place) ?? found[used++]
    if (!hit) break
    hits.push(hit)
  }
  const shown = start + hits.length
  // Not by numbers: pins that were shown may be none any more.
  const isMore = found.length > used || [...places.keys()].some((place) => place >= shown)
  const goesOn = cursor !== null && hits.length === size && isMore
  if (!goesOn) return { hits, next: undefined }
  const sort = used > 0 ? (found[used - 1]!.sort as CursorPosition['after']) : undefined
  const after = sort?.slice(0, orderOf(criteria).kinds.length) ?? position?.after ?? []
  return { hits, next: { after, pinned: { shown, print: pinsPrint(criteria) } } }
}
