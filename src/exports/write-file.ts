import { Conflict, TooLarge } from '../errors.ts'
import { fileUrl, keepFile, removeFile } from '../files/store.ts'
import type { ProductText } from '../formats/file-writer.ts'
import { limits } from '../limits.ts'
import { Interrupted, retryUntilCancelled } from '../tasks/backoff.ts'
import type { TaskRunContext } from '../tasks/task.ts'
import { createFilePart } from './file-part.ts'
import { type ExportCheckpoint, type ExportJob, type FileDestination, writerOf } from './job.ts'
import type { ExportProgress } from './progress.ts'
import { readPage } from './selected-products.ts'

/** A kill loses one part at most. */
const PART = { bytes: 16 * 1024 * 1024, products: 5_000, ms: 5_000 }

interface WriteFileOptions {
  readonly run: TaskRunContext
  readonly job: ExportJob
  readonly to: FileDestination
  readonly track: ExportProgress
  readonly text: ProductText
}

/**
 * Writes a file in parts, each kept before the checkpoint names it, and joins them in the end.
 * Answers the file's url. Throws Interrupted, TooLarge, NotFound.
 */
export async function writeFile(
  run: TaskRunContext,
  { job, to, track }: Pick<WriteFileOptions, 'job' | 'to' | 'track'>,
): Promise<string> {
  const { ctx, isCancelled } = run
  const { writer, settings } = writerOf(to)
  const parts = { run, job, to, track, text: writer.open(settings, track.now.headings) }
  while (!track.now.done) {
    track.commit(await retryUntilCancelled(isCancelled, () => keepPart(parts)))
    if (isCancelled()) throw new Interrupted()
    if (track.now.bytes > limits.fileBytes) {
      throw new TooLarge(
        `The file would be larger than ${limits.fileBytes} bytes. Export less at a time, by a search.`,
      )
    }
  }
  const { id, name, type } = to.file
  await retryUntilCancelled(isCancelled, () =>
    keepFile(ctx, { id, name, type, body: whole(parts) }),
  )
  await removeParts(run, track)
  return fileUrl(ctx, id)
}

/** What is written so far is of no use without the rest. */
export async function removeParts({ ctx }: TaskRunContext, { now }: ExportProgress): Promise<void> {
  for (const part of now.parts) await removeFile(ctx, part)
}

async function keepPart({
  run,
  job,
  to,
  track,
  text,
}: WriteFileOptions): Promise<ExportCheckpoint> {
  const { ctx, isCancelled } = run
  const part = createFilePart({
    from: track.now,
    read: (position, size) =>
      retryUntilCancelled(isCancelled, () => readPage(ctx, job.selection, { ...position, size })),
    write: text.write,
    limits: PART,
    isEnding: isCancelled,
    advanced: track.advance,
  })
  const { id } = await keepFile(ctx, { name: to.file.name, type: to.file.type, body: part.body })
  const reached = part.reached()
  return { ...reached, parts: [...reached.parts, id] }
}

async function* whole({ run, track, text }: WriteFileOptions): AsyncGenerator<Uint8Array> {
  if (text.head !== '') yield Buffer.from(text.head)
  for (const id of track.now.parts) {
    const part = await run.ctx.files.read(id)
    if (!part) throw new Conflict('A part of the file is gone. Run the export again.')
    for await (const chunk of part) {
      if (run.isCancelled()) throw new Interrupted()
      yield chunk
    }
  }
  // Whoever was away for long must not replace the file of the one who took over.
  run.hold()
}
