import { type CatalogScope, taskCatalogOf } from '../../catalogs/store.ts'
import { Conflict, ignoring } from '../../errors.ts'
import type { Context } from '../../operation.ts'
import { queueTask } from '../../tasks/store.ts'
import type { Task } from '../../tasks/task.ts'
import { PICTURES_KIND, type PicturesJob } from './job.ts'

interface PicturesWish extends Pick<PicturesJob, 'refresh'> {
  /** Id of the task, if it may be queued again. */
  readonly id?: string
}

/** Queues a task that fetches the pictures of a catalog. Throws Conflict if the id is taken. */
export const queuePictures = (
  ctx: Context,
  scope: CatalogScope,
  { id, refresh }: PicturesWish,
): Promise<Task> =>
  queueTask(ctx, {
    ...(id === undefined ? {} : { id }),
    kind: PICTURES_KIND,
    source: scope.name,
    sourceType: 'pictures',
    // Separate from imports, which must not wait for the servers of pictures.
    target: `${scope.owner}/${scope.name}/pictures`,
    input: { ...taskCatalogOf(scope), refresh } satisfies PicturesJob,
  })

/**
 * Queues a task for the pictures of an import, once however often the import ends. Returns its id.
 */
export async function queuePicturesAfter(
  ctx: Context,
  scope: CatalogScope,
  importId: string,
): Promise<string> {
  const id = `${importId}-pictures`
  await queuePictures(ctx, scope, { id, refresh: false }).catch(ignoring(Conflict))
  return id
}
