import { Conflict, TooLarge } from '../errors.ts'
import { fileUrl, keepFile, removeFiles } from '../files/store.ts'
import { limits } from '../limits.ts'
import { rootOf } from '../platform/load-owner.ts'
import { pacedTransfer } from '../platform/pacing.ts'
import { enterBackground } from '../tasks/background-admission.ts'
import { Interrupted, retryUntilCancelled } from '../tasks/backoff.ts'
import type { TaskRunContext } from '../tasks/task.ts'
import { createFileParts } from './file-part.ts'
import { type ExportCheckpoint, type ExportJob, type FileDestination, writerOf } from './job.ts'
import type { ExportProgress } from './progress.ts'
import { nextPortion } from './selected-portions.ts'

/** Limits of a part, which is the most that a crash loses. */
const PART = { bytes: 16 * 1024 * 1024, products: 5_000, ms: 5_000 }

/**
 * Writes a file in parts, each stored before the checkpoint names it, and joins them at the end.
 * Returns the file's url. Throws Interrupted, TooLarge, NotFound.
 */
export async function writeFile(
  run: TaskRunContext,
  to: FileDestination,
  { job, track }: { readonly job: ExportJob; readonly track: ExportProgress },
): Promise<string> {
  const { ctx, isCancelled } = run
  const { id, name, type } = to.file
  const { writer, settings } = writerOf(to)
  const text = writer.open(settings, track.now.headings)

  const beginPart = createFileParts({
    enter: () => enterBackground(ctx, rootOf(ctx.organization), { rests: true }),
    read: (position, size) =>
      retryUntilCancelled(isCancelled, () =>
        nextPortion(ctx, job.selection, { ...position, size }),
      ),
    write: text.write,
    limits: PART,
    isEnding: isCancelled,
    advanced: track.advance,
    checkNeeded() {
      if (isCancelled()) throw new Interrupted()
    },
  })

  async function writePart(): Promise<ExportCheckpoint> {
    const part = beginPart(track.now)
    const file = await keepFile(ctx, { name, type, body: part.body })
    const reached = part.reached()
    return { ...reached, parts: [...reached.parts, file.id] }
  }

  async function* whole(): AsyncGenerator<Uint8Array> {
    if (text.head !== '') yield Buffer.from(text.head)
    for (const partId of track.now.parts) {
      const part = await ctx.files.read(partId)
      if (!part) throw new Conflict('A part of the file is missing. Run the export again.')
      for await (const chunk of part.body) {
        if (isCancelled()) throw new Interrupted()
        yield chunk
      }
    }
    // A run that lost its lease must not replace the file of its successor.
    run.assertLease()
  }

  while (!track.now.done) {
    track.commit(await retryUntilCancelled(isCancelled, writePart))
    if (isCancelled()) throw new Interrupted()
    if (track.now.bytes > limits.fileBytes) {
      throw new TooLarge(
        `The file would be larger than ${limits.fileBytes} bytes. Export fewer products at a time, selected by a search.`,
      )
    }
  }
  await retryUntilCancelled(isCancelled, () =>
    keepFile(ctx, { id, name, type, body: pacedTransfer(ctx, whole()) }),
  )
  await removeParts(run, track)
  return fileUrl(ctx, id)
}

/** Parts are of no use without the whole file. */
export const removeParts = ({ ctx }: TaskRunContext, { now }: ExportProgress): Promise<void> =>
  removeFiles(ctx, now.parts)
