import type { TaskCatalog } from '../../catalogs/store.ts'
import type { RowCounts } from '../../tasks/task.ts'
import type { RejectsState } from '../rejects.ts'

export const PICTURES_KIND = 'pictures'

/** The input of a task that fetches the pictures of a catalog. */
export interface PicturesJob extends TaskCatalog {
  /** Whether servers are asked again for pictures that were fetched before. */
  readonly refresh: boolean
}

/** Where the task resumes after an interruption. */
export interface PicturesCheckpoint {
  /** Id of the last product that is done. */
  readonly after: string | null
  /** Numbers of products that are done, and of all products at the beginning. */
  readonly done: number
  readonly total: number
  readonly failures: RejectsState
}

/** Results for the pictures of some products. */
export interface PictureCounts {
  readonly fetched: number
  /** Pictures that were stored before. */
  readonly unchanged: number
  readonly failed: number
}

/** Adds results to the counts of a task. */
export const withPictures = (
  counts: RowCounts,
  { fetched, unchanged, failed }: PictureCounts,
): RowCounts => ({
  ...counts,
  processed: counts.processed + fetched + unchanged + failed,
  updated: counts.updated + fetched,
  unchanged: counts.unchanged + unchanged,
  rejected: counts.rejected + failed,
})

const text = (count: number) => count.toLocaleString('en-US')

/** `4 pictures: 2 fetched, 1 kept before, 1 failed.` */
export const picturesText = ({ processed, updated, unchanged, rejected }: RowCounts): string =>
  `${text(processed)} ${processed === 1 ? 'picture' : 'pictures'}: ${text(updated)} fetched, ${text(unchanged)} already stored, ${text(rejected)} failed.`
