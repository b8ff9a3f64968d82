import type { Context } from '../operation.ts'
import { readLines, refreshWorkspaces } from '../workspaces/reading.ts'

/** A product that a run is about. */
export interface Reference {
  readonly catalog: string
  readonly productId: string
}

/** Each product once, where it stood first. */
export const unique = (references: readonly Reference[]): Reference[] => [
  ...new Map(references.map((one) => [JSON.stringify([one.catalog, one.productId]), one])).values(),
]

/** The products of an opened workspace, the first added first, as acknowledged writes have left it. */
export async function referencesIn(ctx: Context, workspace: string): Promise<Reference[]> {
  await refreshWorkspaces(ctx)
  return readLines(ctx, [workspace])
}
