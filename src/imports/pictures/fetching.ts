import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { Invalid, ignoring, TooLarge, TooManyRequests, Unavailable } from '../../errors.ts'
import { OverQuota } from '../../files/quota.ts'
import { keepFetched } from '../../images/keep-fetched.ts'
import type { Context } from '../../operation.ts'
import { retry } from '../../platform/retry.ts'
import { createSerialQueue } from '../../platform/serial-queue.ts'
import type { FetchedPicture } from '../../products/product.ts'
import type { WithSlot } from '../../tasks/slots.ts'
import { createDownloads, type DownloadedPicture, PictureFailure } from './download.ts'

/** Number of addresses whose result a task remembers, since variants share pictures. */
const REMEMBERED = 10_000
const REFUSED_MS = 1_000

/** Decodes one picture of an organization at a time, so that uploads by users wait for no more. */
const decoding = createSerialQueue()

interface FetchOptions {
  readonly signal: AbortSignal
  /** Runs work in a slot of the task. Only decoding and storing need one, not the download. */
  readonly withSlot: WithSlot
}

/** Fetches pictures for one task, each address once as long as it is remembered. */
export function createFetching(ctx: Context, task: string) {
  const download = createDownloads(ctx)
  const results = new LRUCache<string, Promise<FetchedPicture | PictureFailure>>({
    max: REMEMBERED,
  })

  async function fetched(
    source: string,
    known: FetchedPicture | undefined,
    { signal, withSlot }: FetchOptions,
  ): Promise<FetchedPicture | PictureFailure> {
    // Thousands of addresses in a row may be refused without a call.
    await yieldToEventLoop()
    try {
      const keep = async ({ bytes, validators }: DownloadedPicture) => {
        const { url } = await withSlot(() => kept({ ...ctx, signal }, bytes))
        return { source, url, task, ...validators }
      }
      return (await download(source, { known: known ?? {}, signal, keep })) ?? known!
    } catch (error) {
      // The stack of an error holds what its functions can reach, here the bytes of the picture.
      if (error instanceof PictureFailure) return new PictureFailure(error.message)
      throw error
    }
  }

  /** The picture at an address, or the failure. With `known`, asks whether that picture changed. */
  return (
    source: string,
    known: FetchedPicture | undefined,
    options: FetchOptions,
  ): Promise<FetchedPicture | PictureFailure> => {
    const before = results.get(source)
    if (before) return before
    const result = fetched(source, known, options)
    results.set(source, result)
    return result
  }
}

function kept(ctx: Context, bytes: Buffer) {
  const { organization, signal } = ctx
  const keep = () => decoding.run(organization.id, () => keepFetched(ctx, bytes), { signal })
  return retry(keep, (error) => {
    if (error instanceof Invalid) throw new PictureFailure(error.message.replace(/^file: /, ''))
    if (error instanceof TooLarge && !(error instanceof OverQuota)) {
      throw new PictureFailure(error.message)
    }
    ignoring(TooManyRequests, Unavailable)(error)
    return sleep(REFUSED_MS, undefined, { signal })
  })
}
