import { anyOf, none } from '../elastic/clauses.ts'
import type { Hit, Query, SearchAnswer } from '../elastic/search.ts'
import type { ViewableDocument } from '../products/view.ts'
import type { Criteria } from './criteria.ts'
import type { CursorPosition } from './cursor.ts'
import { fingerprint } from './fingerprint.ts'
import { orderOf } from './sort.ts'
import type { Pin } from './tuning/applied-rules.ts'

/** A pinned product that matches all conditions of the search except its words. */
export interface PlacedPin {
  readonly position: number
  readonly hit: Hit<ViewableDocument>
}

/** The pins of a search. They apply only in the order `relevance`. */
export const activePins = ({ rules, sort }: Criteria): readonly Pin[] =>
  sort === 'relevance' && rules ? rules.pins : []

/** Fingerprint of the pins. A walk that started with different ones continues without any. */
export const pinsPrint = (criteria: Criteria): string =>
  fingerprint(activePins(criteria).map(({ product, position }) => [product, position]))

/** The pins that were found. In a grouped search, only the first pin of a group is kept. */
export function placedPins(
  { hits }: SearchAnswer<ViewableDocument>,
  criteria: Criteria,
): PlacedPin[] {
  const byId = new Map(hits.hits.map((hit) => [hit._source!.product.id, hit]))
  const groups = new Set<string>()
  return activePins(criteria).flatMap(({ product, position }) => {
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

/** Excludes pinned products, and in a grouped search their groups, from the other hits. */
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

/** Number of pins before a place, counted from 0, if other hits fill the places in between. */
export const pinsBefore = (pins: readonly PlacedPin[], place: number): number =>
  pins.filter(({ position }) => position - 1 < place).length

export interface PageParts {
  readonly answer: SearchAnswer<ViewableDocument>
  readonly pins: readonly PlacedPin[]
  /** Number of products or groups that match and are not pinned. */
  readonly others: number
  readonly position: CursorPosition | undefined
}

export interface PlacedPage {
  readonly hits: readonly Hit<ViewableDocument>[]
  /** Where a walk continues; undefined at its end. */
  readonly next: Omit<CursorPosition, 'mode' | 'walk'> | undefined
}

/** Builds a page with the pins at their places. Pins beyond the last other hit follow it. */
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
  // Counting would not do, since pins that were shown may no longer exist.
  const isMore = found.length > used || [...places.keys()].some((place) => place >= shown)
  const goesOn = cursor !== null && hits.length === size && isMore
  if (!goesOn) return { hits, next: undefined }
  const sort = used > 0 ? (found[used - 1]!.sort as CursorPosition['after']) : undefined
  const after = sort?.slice(0, orderOf(criteria).kinds.length) ?? position?.after ?? []
  return { hits, next: { after, pinned: { shown, print: pinsPrint(criteria) } } }
}
