import { createHash } from 'node:crypto'

/** By which settings a search of an experiment went: those of the catalog, or the other ones. */
export const VARIANTS = ['control', 'variant'] as const
export type Variant = (typeof VARIANTS)[number]

/** Which part a search had in an experiment. */
export interface Assignment {
  /** Name of the experiment. */
  readonly experiment: string
  readonly variant: Variant
  /** One of VISITOR_GROUPS, from 0: all searches of a visitor are in the same. */
  readonly group: number
}

/**
 * Visitors fall into this many groups: searches of one visitor depend on each other, those of
 * different groups do not, and a group does not identify a visitor.
 */
export const VISITOR_GROUPS = 100

/** The same visitor has the same part for as long as an experiment has its name and share. */
export function assignmentOf(
  visitor: string,
  { catalog, name, share }: { catalog: string; name: string; share: number },
): Assignment {
  const digest = createHash('sha256')
    .update(JSON.stringify([catalog, name, visitor]))
    .digest()
  const variant = digest.readUInt32LE(0) < share * 2 ** 32 ? 'variant' : 'control'
  return { experiment: name, variant, group: digest.readUInt32LE(4) % VISITOR_GROUPS }
}
