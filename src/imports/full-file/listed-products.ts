import { hash } from 'node:crypto'
import { Invalid } from '../../errors.ts'
import { keepPart, removeFiles } from '../../files/store.ts'
import type { Context } from '../../operation.ts'
import { ignoreInterrupted, retryUntilCancelled } from '../../tasks/backoff.ts'
import type { TaskRunContext } from '../../tasks/task.ts'

/** The products listed by a full file, as stored in a task's checkpoint. */
export interface ListedProductsState {
  /** Ids of files with fingerprints; null when there was no room for them. */
  readonly parts: readonly string[] | null
  /** Further fingerprints, as base64. */
  readonly tail: string
  /** Number of fingerprints. A product may count repeatedly if its rows are far apart. */
  readonly count: number
}

export const noListedProducts: ListedProductsState = { parts: [], tail: '', count: 0 }

const PART_BYTES = 128 * 1024
/** 128 bits of a hash, so that no two products of a catalog share a fingerprint. */
const FINGERPRINT_BYTES = 16

const fingerprintOf = (id: string): Buffer =>
  hash('sha256', id, 'buffer').subarray(0, FINGERPRINT_BYTES)

/** A list of any number of products, kept on disk. */
export interface ListedProducts {
  add(ids: Iterable<string>): Promise<void>
  state(): ListedProductsState
}

export function createListedProducts(
  { ctx, isCancelled }: Pick<TaskRunContext, 'ctx' | 'isCancelled'>,
  begun: ListedProductsState,
): ListedProducts {
  let { parts, count } = begun
  let tail: Buffer = Buffer.from(begun.tail, 'base64')

  async function keepTail(): Promise<void> {
    const file = { name: 'listed-products', type: 'application/octet-stream', body: [tail] }
    const id = parts && (await retryUntilCancelled(isCancelled, () => keepPart(ctx, file)))
    parts = id === null || parts === null ? null : [...parts, id]
    tail = Buffer.alloc(0)
  }

  return {
    async add(ids) {
      const added = [...ids].map(fingerprintOf)
      count += added.length
      tail = Buffer.concat([tail, ...added])
      if (tail.length >= PART_BYTES) await keepTail().catch(ignoreInterrupted)
    },
    state: () => ({ parts, tail: tail.toString('base64'), count }),
  }
}

/** One of `shares` equal parts of all products, counted from 0. */
export interface Share {
  readonly share: number
  readonly shares: number
  /** Called after each part of the list, of which there may be thousands. */
  readonly pace?: () => Promise<void>
}

const isIn = (fingerprint: Buffer, { share, shares }: Share): boolean =>
  fingerprint.readUInt32BE(FINGERPRINT_BYTES - 4) % shares === share

/**
 * Returns a test for products of the share that are not listed. Throws Invalid when the list is no
 * longer stored.
 */
export async function readShare(
  ctx: Pick<Context, 'files'>,
  { parts, tail }: ListedProductsState,
  share: Share,
): Promise<(id: string) => boolean> {
  const listed = new Set<string>()
  const add = (bytes: Buffer) => {
    for (let at = 0; at + FINGERPRINT_BYTES <= bytes.length; at += FINGERPRINT_BYTES) {
      const fingerprint = bytes.subarray(at, at + FINGERPRINT_BYTES)
      if (isIn(fingerprint, share)) listed.add(fingerprint.toString('latin1'))
    }
  }
  for (const id of parts ?? []) {
    const part = await ctx.files.read(id)
    if (!part)
      throw new Invalid(
        'The list of offers in the file is no longer stored. Import the file again.',
      )
    add(Buffer.from(await new Response(part.body).arrayBuffer()))
    await share.pace?.()
  }
  add(Buffer.from(tail, 'base64'))
  return (id) => {
    const fingerprint = fingerprintOf(id)
    return isIn(fingerprint, share) && !listed.has(fingerprint.toString('latin1'))
  }
}

/** Removes the files of the list. One that cannot be removed now expires. */
export const removeListedProducts = (ctx: Context, { parts }: ListedProductsState): Promise<void> =>
  removeFiles(ctx, parts ?? [])
