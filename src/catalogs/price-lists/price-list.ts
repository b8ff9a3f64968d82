import { Conflict } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** What Save Price List sets: everything but the prices. */
interface PriceListTerms {
  readonly description: string | null
  /** ISO 4217 code, three letters. */
  readonly currency: string
  /** Sub-organizations of the catalog's owner that see it; null: all of them. */
  readonly organizations: readonly string[] | null
}

/** Terms in a request: without `organizations`, a list keeps its own. */
export type RequestedTerms = Omit<PriceListTerms, 'organizations'> & {
  readonly organizations?: PriceListTerms['organizations'] | undefined
}

/** A price list of a catalog. */
export interface PriceList extends PriceListTerms {
  readonly id: string
  readonly name: string
  /** The search field that holds its prices; no other list of the catalog uses it. */
  readonly slot: string
  readonly created: string
  /** When it was deleted; its slot stays taken until no product has prices of it. */
  readonly deleted: string | null
}

/** All price lists of a catalog. */
export interface PriceListsDocument {
  readonly lists: readonly PriceList[]
  /** When the oldest list whose prices still have to be removed was deleted. */
  readonly deleted: string | null
}

export const NO_LISTS: PriceListsDocument = { lists: [], deleted: null }

export const findList = (lists: readonly PriceList[], name: string): PriceList | undefined =>
  lists.find((one) => one.name === name && one.deleted === null)

/** The lists that an organization may see; null: the owner of the catalog. */
export const listsFor = (
  { lists }: PriceListsDocument,
  organization: string | null,
): readonly PriceList[] =>
  lists.filter(
    ({ deleted, organizations }) =>
      deleted === null &&
      (organization === null || organizations === null || organizations.includes(organization)),
  )

const SLOTS = Array.from({ length: limits.priceLists }, (_, at) => `s${at}`)

/** Adds a list, or replaces its terms. Throws Conflict when there are too many. */
export function withList(
  { lists, deleted }: PriceListsDocument,
  { id, name, now }: { readonly id: string; readonly name: string; readonly now: string },
  requested: RequestedTerms,
): PriceListsDocument {
  const known = findList(lists, name)
  const { organizations = known?.organizations ?? null } = requested
  const terms = { ...requested, organizations }
  if (known) {
    return { lists: lists.map((one) => (one === known ? { ...one, ...terms } : one)), deleted }
  }
  const slot = SLOTS.find((one) => lists.every((list) => list.slot !== one))
  if (slot === undefined) throw new Conflict(tooMany(lists))
  return { lists: [...lists, { id, name, ...terms, slot, created: now, deleted: null }], deleted }
}

function tooMany(lists: readonly PriceList[]): string {
  const most = `A catalog has at most ${limits.priceLists} price lists`
  return lists.some(({ deleted }) => deleted !== null)
    ? `${most}, and deleted ones are still being removed. Try again shortly.`
    : `${most}. Delete one first.`
}

/** Marks the list of that name for removal; no change where there is none. */
export function withDeleted(
  document: PriceListsDocument,
  name: string,
  now: string,
): PriceListsDocument {
  const known = findList(document.lists, name)
  if (!known) return document
  return dated(document.lists.map((one) => (one === known ? { ...one, deleted: now } : one)))
}

/** Drops a list whose prices are removed. */
export const withoutList = ({ lists }: PriceListsDocument, id: string): PriceListsDocument =>
  dated(lists.filter((one) => one.id !== id))

function dated(lists: readonly PriceList[]): PriceListsDocument {
  const times = lists.flatMap(({ deleted }) => deleted ?? []).sort()
  return { lists, deleted: times[0] ?? null }
}
