/** Separates an owner from its part. No id and no host contains this character. */
const PART_OF = '\u001e'

/** The fields of an organization that say for whom its work counts. */
export interface LoadedOrganization {
  readonly id: string
  readonly parent: string | null
}

/** A part of an owner: all of them have one share and take turns in it. */
export const partOf = (whole: string, part: string): string => whole + PART_OF + part

/**
 * The owner for whom an admission counts the work of an organization. An organization and its
 * sub-organizations have one share and take turns in it.
 */
export const loadOwner = ({ id, parent }: LoadedOrganization): string =>
  parent === null ? id : partOf(parent, id)

/** The parent of a sub-organization, else the organization itself. */
export const rootOf = ({ id, parent }: LoadedOrganization): string => parent ?? id

/** The owner of a share, and the part of it that takes turns. */
export type LoadPath = readonly [whole: string, part: string]

export function ownerPath(owner: string): LoadPath {
  const at = owner.indexOf(PART_OF)
  return at < 0 ? [owner, ''] : [owner.slice(0, at), owner.slice(at + 1)]
}
