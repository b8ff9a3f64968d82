import { hash } from 'node:crypto'

/** `control` searches use the settings of the catalog, `variant` searches those under test. */
export const VARIANTS = ['control', 'variant'] as const
export type Variant = (typeof VARIANTS)[number]

/** The part that a search has in an experiment. */
export interface Assignment {
  /** Name of the experiment. */
  readonly experiment: string
  readonly variant: Variant
  /** From 0 to VISITOR_GROUPS - 1, the same for all searches of a visitor. */
  readonly group: number
}

/**
 * Number of groups into which visitors are divided. Searches of one visitor depend on each other,
 * those of different groups do not, and a group does not identify a visitor.
 */
export const VISITOR_GROUPS = 100

/** A visitor keeps the same part while the name and the share of an experiment stay the same. */
export function assignmentOf(
  visitor: string,
  { catalog, name, share }: { catalog: string; name: string; share: number },
): Assignment {
  const digest = hash('sha256', JSON.stringify([catalog, name, visitor]), 'buffer')
  const variant = digest.readUInt32LE(0) < share * 2 ** 32 ? 'variant' : 'control'
  return { experiment: name, variant, group: digest.readUInt32LE(4) % VISITOR_GROUPS }
}
