/** No id has it. */
const PART_OF = '\u001e'

/** An organization as far as it says whose its load is. */
export interface LoadedOrganization {
  readonly id: string
  readonly parent: string | null
}

/**
 * For whom an admission counts what an organization does: one with its sub-organizations has one
 * share, which these have in turn.
 */
export const loadOwner = ({ id, parent }: LoadedOrganization): string =>
  parent === null ? id : parent + PART_OF + id

/** Who has the share, and the part of them whose turn it is. */
export type LoadPath = readonly [whole: string, part: string]

export function partsOf(owner: string): LoadPath {
  const at = owner.indexOf(PART_OF)
  return at < 0 ? [owner, ''] : [owner.slice(0, at), owner.slice(at + 1)]
}
