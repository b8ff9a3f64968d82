import { openTaskCatalog, writableTaskCatalog } from '../../catalogs/store.ts'
import { pagesWithinBytes } from '../../elastic/byte-limited-search.ts'
import { NotFound } from '../../errors.ts'
import { OverQuota } from '../../files/quota.ts'
import { mapLimited } from '../../platform/map-limited.ts'
import { productsOf } from '../../products/product-documents.ts'
import { Interrupted, retryUntilCancelled } from '../../tasks/backoff.ts'
import { withCancellation } from '../../tasks/cancellation.ts'
import { percentOf } from '../../tasks/progress.ts'
import type { Outcome, RowCounts, TaskRun, TaskRunContext } from '../../tasks/task.ts'
import { createRejects, noRejects, type Rejects } from '../rejects.ts'
import { createFetching } from './fetching.ts'
import {
  type PictureCounts,
  type PicturesCheckpoint,
  type PicturesJob,
  picturesText,
  withPictures,
} from './job.ts'
import { type PicturedDocument, type PicturesDone, productPictures } from './product-pictures.ts'

/** Products that are read first, as long as their size is not known, and at most. */
const FIRST_PAGE = 8
const PAGE = 200
/** Products of a page that are processed concurrently. */
const AT_ONCE = 16
const SEARCH_MS = 30_000

/** Fetches the pictures of a catalog, from the beginning or where an earlier run ended. */
export const runPictures: TaskRun = async (run) => {
  let counts = run.task.counts
  const begun = run.task.checkpoint as PicturesCheckpoint | null
  const failures = createRejects(run, {
    format: 'csv',
    headings: ['product', 'address'],
    hasLines: false,
    state: begun?.failures ?? noRejects(),
  })
  const ended = async (status: 'completed' | 'failed' | 'cancelled', why?: string) => {
    // The task ends even if the list cannot be stored.
    const rejectsFile = await failures.finish().catch(() => null)
    const message = [why, picturesText(counts)].filter(Boolean).join(' ')
    const failed = counts.rejected > 0 && status === 'completed'
    const warnings = failed ? ['Some pictures could not be fetched: rejectsUrl lists them.'] : []
    return { status, message, counts, rejectsFile, warnings } satisfies Outcome
  }
  try {
    await walk(run, failures, (more) => {
      counts = withPictures(counts, more)
      return counts
    })
    return await ended('completed')
  } catch (error) {
    if (error instanceof Interrupted && run.resumesLater()) return { status: 'stopped' }
    if (error instanceof Interrupted) return ended('cancelled', 'Cancelled.')
    if (error instanceof NotFound) return ended('cancelled', 'The catalog was deleted.')
    if (error instanceof OverQuota) return ended('failed', error.message)
    throw error
  }
}

async function walk(
  run: TaskRunContext,
  failures: Rejects,
  count: (more: PictureCounts) => RowCounts,
): Promise<void> {
  const { ctx, task, isCancelled } = run
  const job = task.input as PicturesJob
  const scope = await retryUntilCancelled(isCancelled, () => writableTaskCatalog(ctx, job))
  const products = productsOf(ctx, scope)
  const options = { signal: ctx.signal, timeoutMs: SEARCH_MS }
  let at = task.checkpoint as PicturesCheckpoint | null
  if (!at) {
    await retryUntilCancelled(isCancelled, () => products.refresh())
    const total = await retryUntilCancelled(isCancelled, () => products.count(undefined, options))
    at = { after: null, done: 0, total, failures: failures.state() }
  }
  run.progress({ checkpoint: at, message: 'Fetching pictures.' })
  const fetching = createFetching(ctx, task.id)
  const nextPage = createPages(products, ctx)
  for (;;) {
    if (isCancelled()) throw new Interrupted()
    await retryUntilCancelled(isCancelled, () => openTaskCatalog(ctx, job))
    const { after }: PicturesCheckpoint = at
    const documents: PicturedDocument[] = await retryUntilCancelled(isCancelled, () =>
      nextPage(after),
    )
    // A caller who reads "completed" may search at once.
    if (documents.length === 0) return retryUntilCancelled(isCancelled, () => products.refresh())
    await withCancellation(run, (signal, withSlot) =>
      throughPage(documents, {
        work: (document) =>
          productPictures(run, {
            scope,
            document,
            refresh: job.refresh,
            fetching,
            signal,
            withSlot,
          }),
        async commit({ product }, done) {
          await withSlot(() => failures.add(done.failures))
          at = { ...at!, after: product.id, done: at!.done + 1, failures: failures.state() }
          const percentCompleted = percentOf(at.done, at.total, task.percentCompleted)
          run.progress({ counts: count(done), checkpoint: at, percentCompleted })
        },
      }),
    )
  }
}

/**
 * Reads products in the order of their ids. A page is held until the slowest host has answered for
 * it, by many tasks at once, so its bytes are bounded and not only its products.
 */
function createPages(
  products: ReturnType<typeof productsOf>,
  { signal }: TaskRunContext['ctx'],
): (after: string | null) => Promise<PicturedDocument[]> {
  let pages: AsyncGenerator<PicturedDocument[]> | undefined
  return async (after) => {
    pages ??= pagesWithinBytes(
      products,
      {
        size: Infinity,
        _source: ['product.id', 'product.image', 'product.images', 'pictures'],
        sort: [{ 'search.id': 'asc' }],
        ...(after === null ? {} : { search_after: [after] }),
      },
      { signal, timeoutMs: SEARCH_MS, most: Infinity, first: FIRST_PAGE, largest: PAGE },
    )
    try {
      return (await pages.next()).value ?? []
    } catch (error) {
      // It has ended by its failure, and another one goes on after the last product.
      pages = undefined
      throw error
    }
  }
}

interface PageWork {
  work(document: PicturedDocument): Promise<PicturesDone>
  commit(document: PicturedDocument, done: PicturesDone): Promise<void>
}

/**
 * Processes several products of a page at once, since a host may take minutes. Each is committed as
 * soon as it and all before it are done. All work has ended when the first failure is thrown.
 */
async function throughPage(
  documents: readonly PicturedDocument[],
  { work, commit }: PageWork,
): Promise<void> {
  const done: PicturesDone[] = []
  let next = 0
  let committed = Promise.resolve()
  async function commitNext(): Promise<void> {
    for (let one = done[next]; one; one = done[++next]) {
      // It may hold many lines of failures.
      delete done[next]
      await commit(documents[next]!, one)
    }
  }
  await mapLimited(documents, AT_ONCE, async (document, at) => {
    done[at] = await work(document)
    committed = committed.then(commitNext)
    await committed
  })
}
