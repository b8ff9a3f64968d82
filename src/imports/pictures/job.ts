import type { RowCounts } from '../../tasks/task.ts'
import type { RejectsState } from '../rejects.ts'

export const PICTURES_KIND = 'pictures'

/** The input of a task that fetches the pictures of a catalog. */
export interface PicturesJob {
  readonly catalog: string
  /** Servers are asked for what is fetched already, too. */
  readonly refresh: boolean
}

/** Where it goes on after an interruption. */
export interface PicturesCheckpoint {
  /** Id of the last product that is done. */
  readonly after: string | null
  /** Products that are done, and those that the catalog had. */
  readonly done: number
  readonly total: number
  readonly failures: RejectsState
}

/** What became of the pictures of some products. */
export interface PictureCounts {
  readonly fetched: number
  /** Kept here before. */
  readonly unchanged: number
  readonly failed: number
}

/** Added to what a task counted. */
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
  `${text(processed)} ${processed === 1 ? 'picture' : 'pictures'}: ${text(updated)} fetched, ${text(unchanged)} kept before, ${text(rejected)} failed.`
