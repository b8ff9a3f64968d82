import { randomBytes } from 'node:crypto'
import { type Collection, collection, type Stored } from '../elastic/collection.ts'
import { NotFound, Stale, TooLarge, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import { conflictAsStale } from '../platform/retry.ts'
import { deadline, type FileContext, overQuota, usedBytes } from './quota.ts'

/** What is known about a file; its bytes are in the FileStore under the same id. */
export interface FileRecord {
  /** 128 random bits: the address is as good as a secret within the organization. */
  readonly id: string
  readonly name: string
  readonly type: string
  readonly bytes: number
  /** False while its bytes are being written, and for good when that failed. */
  readonly complete: boolean
  /** The key that made it, where that is an import key; null for any other. */
  readonly importKey: string | null
  readonly created: string
  readonly expires: string
}

const DAY_MS = 24 * 60 * 60 * 1000

type CallerFiles = FileContext & Pick<Context, 'caller'>

const filesOf = ({ elastic, organization }: FileContext): Collection<FileRecord> =>
  collection<FileRecord>(elastic, { kind: 'files', scope: [organization.id] })

export const fileUrl = ({ publicUrl }: Services, id: string): string =>
  `${publicUrl}/api/files/${id}`

/** The id in an address that `fileUrl` made, or undefined for any other text. */
export function fileIdIn({ publicUrl }: Services, url: string): string | undefined {
  const start = `${publicUrl}/api/files/`
  const id = url.startsWith(start) ? url.slice(start.length) : ''
  return /^[0-9a-f]{32}$/.test(id) ? id : undefined
}

export interface NewFile {
  readonly name: string
  readonly type: string
  readonly body: AsyncIterable<Uint8Array>
  /** Of `newFileId`, where it was told before the file is there. It is kept once. */
  readonly id?: string
}

export const newFileId = (): string => randomBytes(16).toString('hex')

/**
 * Streams a file to storage for `limits.fileDays`. Its record comes first, so that bytes without
 * one never stay behind. Throws TooLarge past the size limit or the organization's quota, and
 * Unavailable while somebody else keeps a file under the same given id.
 */
export async function keepFile(ctx: CallerFiles, file: NewFile): Promise<FileRecord> {
  try {
    return await keep(ctx, file)
  } catch (error) {
    throw error instanceof Stale ? new Unavailable('The file is being written by others.') : error
  }
}

async function keep(ctx: CallerFiles, file: NewFile): Promise<FileRecord> {
  const room = limits.fileQuotaBytes - (await usedBytes(ctx))
  if (room <= 0) throw overQuota()
  const created = ctx.clock.now()
  const record: FileRecord = {
    id: file.id ?? newFileId(),
    name: file.name,
    type: file.type,
    bytes: 0,
    complete: false,
    importKey: ctx.caller.keyType === 'import' ? ctx.caller.keyId : null,
    created: created.toISOString(),
    expires: new Date(created.getTime() + limits.fileDays * DAY_MS).toISOString(),
  }
  const files = filesOf(ctx)
  const begun = await (file.id === undefined
    ? files.create(record.id, record, deadline())
    : beginAgain(files, record))
  if (begun.source.complete) return begun.source
  const undo = async (error: unknown): Promise<never> => {
    // Of a given id the next attempt goes on, perhaps somebody else's by now.
    if (file.id === undefined) await discard(ctx, record.id)
    throw error
  }
  const kept = await fill(ctx, { record, begun, body: file.body, room }).catch(undo)
  // Several uploads at once each saw room: whoever ends up past the quota gives way.
  const used = kept.bytes === 0 ? 0 : await usedBytes(ctx).catch(undo)
  if (used <= limits.fileQuotaBytes) return kept
  await discard(ctx, record.id)
  throw overQuota()
}

interface Filling extends Pick<NewFile, 'body'> {
  readonly record: FileRecord
  readonly begun: Stored<FileRecord>
  readonly room: number
}

async function fill(ctx: CallerFiles, { record, begun, body, room }: Filling): Promise<FileRecord> {
  try {
    const { bytes } = await ctx.files.write(record.id, body, Math.min(room, limits.fileBytes))
    const kept = { ...record, bytes, complete: true }
    await filesOf(ctx).replace(record.id, kept, begun, { ...deadline(), refresh: true })
    return kept
  } catch (error) {
    throw error instanceof TooLarge && room < limits.fileBytes ? overQuota() : error
  }
}

/** A given id may have been begun before, by somebody who was interrupted. */
async function beginAgain(
  files: Collection<FileRecord>,
  record: FileRecord,
): Promise<Stored<FileRecord>> {
  const found = await files.get(record.id, deadline())
  if (!found) return files.create(record.id, record, deadline()).catch(conflictAsStale)
  return found.source.complete ? found : files.replace(record.id, record, found, deadline())
}

/** What cannot be removed now is removed when it expires. */
async function discard(ctx: FileContext, id: string): Promise<void> {
  await ctx.files.remove(id).catch(() => undefined)
  await filesOf(ctx)
    .remove(id, deadline())
    .catch(() => undefined)
}

/** An import key, which stands in scripts of others, reads what it made itself. */
const isVisibleTo = ({ caller }: CallerFiles, { importKey }: FileRecord): boolean =>
  caller.keyType !== 'import' || importKey === caller.keyId

/** A complete file that has not expired. Throws NotFound, the same for a foreign one. */
export async function findFile(ctx: CallerFiles, id: string): Promise<FileRecord> {
  const found = await anyFile(ctx, id)
  if (!isVisibleTo(ctx, found)) throw new NotFound('File')
  return found
}

/** As findFile, also one that the caller's key does not read: for files that somebody else chose. */
export async function anyFile(ctx: FileContext, id: string): Promise<FileRecord> {
  const found = (await filesOf(ctx).get(id, deadline()))?.source
  const usable = found?.complete && found.expires > ctx.clock.now().toISOString()
  if (!usable) throw new NotFound('File')
  return found
}

/** Removes a file of the organization before it expires. */
export const removeFile = (ctx: FileContext, id: string): Promise<void> => discard(ctx, id)
