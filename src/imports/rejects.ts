import { ignoring, NotFound } from '../errors.ts'
import { keepPart, newFileId, removeFiles } from '../files/store.ts'
import { safeCsvText } from '../formats/rows/rejected-line.ts'
import { limits } from '../limits.ts'
import { pacedTransfer } from '../platform/pacing.ts'
import { ignoreInterrupted, retryUntilCancelled } from '../tasks/backoff.ts'
import type { TaskRunContext } from '../tasks/task.ts'

/** The list of rejected rows so far, small enough for a task's checkpoint. */
export interface RejectsState {
  /**
   * Id of the whole list, fixed beforehand so that a repeated end of the import finds the same
   * file.
   */
  readonly file: string
  /** Ids of the files that hold the list up to the tail. */
  readonly parts: readonly string[]
  readonly tail: string
  readonly listed: number
}

export const noRejects = (): RejectsState => ({
  file: newFileId(),
  parts: [],
  tail: '',
  listed: 0,
})

export type Rejects = ReturnType<typeof createRejects>

interface RejectsOptions {
  readonly format: 'csv' | 'jsonl'
  /** The file's own header row. */
  readonly headings: readonly string[]
  readonly state: RejectsState
  /** False when the rejected items do not come from a file and have no line numbers. */
  readonly hasLines?: boolean
}

const TAIL_BYTES = 256 * 1024

export function createRejects(
  { ctx, isCancelled, assertLease }: Pick<TaskRunContext, 'ctx' | 'isCancelled' | 'assertLease'>,
  { format, headings, state: begun, hasLines = true }: RejectsOptions,
) {
  let state = begun
  const name = `rejects.${format}`
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson'

  async function* whole(): AsyncGenerator<Uint8Array> {
    if (format === 'csv')
      yield Buffer.from(safeCsvText([...(hasLines ? ['line'] : []), 'reason', ...headings]))
    for (const id of state.parts) {
      const part = await ctx.files.read(id)
      if (!part) throw new NotFound('A part of the list')
      yield* part.body
    }
    yield Buffer.from(state.tail)
    // A run that lost its lease must not replace the list of its successor.
    assertLease()
  }

  async function keepTail(): Promise<void> {
    const { tail } = state
    const part = await retryUntilCancelled(isCancelled, () =>
      keepPart(ctx, { name, type, body: [Buffer.from(tail)] }),
    )
    // Without room for the list the import continues.
    const parts = part === null ? state.parts : [...state.parts, part]
    const listed = part === null ? limits.listedRejects : state.listed
    state = { ...state, parts, tail: '', listed }
  }

  return {
    /** Adds lines, as many as there is room for. */
    async add(all: readonly string[]): Promise<void> {
      const room = Math.max(0, limits.listedRejects - state.listed)
      const lines = all.slice(0, room)
      state = {
        ...state,
        tail: state.tail + lines.join(''),
        listed: state.listed + lines.length,
      }
      if (state.tail.length >= TAIL_BYTES) await keepTail().catch(ignoreInterrupted)
    },
    state: (): RejectsState => state,
    /** Stores the whole list as a file of the organization; null when nothing was rejected. */
    async finish(): Promise<string | null> {
      if (state.listed === 0) return null
      const { file: id, parts } = state
      // Without one of its parts the list would be incomplete, so there is none.
      const body = pacedTransfer(ctx, whole())
      const list = await keepPart(ctx, { id, name, type, body }).catch(ignoring(NotFound))
      await removeFiles(ctx, parts)
      state = { ...state, parts: [], tail: '' }
      return list ?? null
    },
  }
}
