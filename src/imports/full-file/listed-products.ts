import { Invalid, TooLarge } from '../../errors.ts'
import { keepFile, removeFile } from '../../files/store.ts'
import type { Context } from '../../operation.ts'
import { ignoreInterrupted, retryUntilCancelled } from '../../tasks/backoff.ts'
import type { TaskRunContext } from '../../tasks/task.ts'
import { FINGERPRINT_BYTES, fingerprintOf, shareOf } from './fingerprints.ts'

/** The products whose offers a full file has, as a task's checkpoint holds it. */
export interface ListedProductsState {
  /** Ids of files of fingerprints; null when there was no room to keep them. */
  readonly parts: readonly string[] | null
  /** Further fingerprints, as base64. */
  readonly tail: string
  /** Fingerprints in all; those of a product in distant rows count again. */
  readonly count: number
}

export const noListedProducts: ListedProductsState = { parts: [], tail: '', count: 0 }

const PART_BYTES = 128 * 1024

/** Remembers products on disk, whatever their number. */
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
    const id = parts && (await retryUntilCancelled(isCancelled, () => keep(ctx, tail)))
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

async function keep(ctx: Context, bytes: Buffer): Promise<string | null> {
  async function* body() {
    yield bytes
  }
  const file = { name: 'listed-products', type: 'application/octet-stream', body: body() }
  try {
    return (await keepFile(ctx, file)).id
  } catch (error) {
    if (error instanceof TooLarge) return null
    throw error
  }
}

/** The fingerprints of one share. Throws Invalid when they are no longer kept. */
export async function readShare(
  ctx: Context,
  { parts, tail }: ListedProductsState,
  { share, shares }: { readonly share: number; readonly shares: number },
): Promise<Buffer> {
  const found: Buffer[] = []
  const pick = (bytes: Buffer) => {
    for (let at = 0; at + FINGERPRINT_BYTES <= bytes.length; at += FINGERPRINT_BYTES) {
      const fingerprint = bytes.subarray(at, at + FINGERPRINT_BYTES)
      // A copy: a view would keep the whole part.
      if (shareOf(fingerprint, shares) === share) found.push(Buffer.from(fingerprint))
    }
  }
  for (const id of parts ?? []) {
    const stream = await ctx.files.read(id)
    if (!stream) throw new Invalid('What the file lists is no longer kept. Import it again.')
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) chunks.push(chunk)
    pick(Buffer.concat(chunks))
  }
  pick(Buffer.from(tail, 'base64'))
  return Buffer.concat(found)
}

/** What cannot be removed now expires. */
export async function removeListedProducts(
  ctx: Context,
  { parts }: ListedProductsState,
): Promise<void> {
  await Promise.all((parts ?? []).map((id) => removeFile(ctx, id)))
}
