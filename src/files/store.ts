import { randomBytes } from 'node:crypto'
import { type Collection, collection, type Stored } from '../elastic/collection.ts'
import { ignoring, NotFound, Stale, TooLarge, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import type { FileBody } from '../platform/file-store.ts'
import { mapLimited } from '../platform/map-limited.ts'
import { conflictAsStale } from '../platform/retry.ts'
import { deadline, type FileContext, overQuota, usedBytes } from './quota.ts'

/** The record of a file; its bytes are in the FileStore under the same id. */
export interface FileRecord {
  /** 128 random bits, so that the address is as hard to guess as a secret. */
  readonly id: string
  readonly name: string
  readonly type: string
  readonly bytes: number
  /** False while the bytes are being written, and forever when that failed. */
  readonly complete: boolean
  /** The id of the import key that made it; null for other keys. */
  readonly importKey: string | null
  readonly created: string
  readonly expires: string
}

const REMOVED_AT_ONCE = 4
const DAY_MS = 24 * 60 * 60 * 1000

type FileOwnerContext = FileContext & Pick<Context, 'caller'>

const filesOf = ({ elastic, organization }: FileContext): Collection<FileRecord> =>
  collection<FileRecord>(elastic, { kind: 'files', scope: [organization.id] })

export const fileUrl = ({ publicUrl }: Services, id: string): string =>
  `${publicUrl}/api/files/${id}`

/** The id in an address made by `fileUrl`; undefined for any other text. */
export function fileIdIn({ publicUrl }: Services, url: string): string | undefined {
  const start = `${publicUrl}/api/files/`
  const id = url.startsWith(start) ? url.slice(start.length) : ''
  return /^[0-9a-f]{32}$/.test(id) ? id : undefined
}

export interface NewFile extends Pick<FileRecord, 'name' | 'type'> {
  /** Of a fast sender: from `pacedTransfer`, since it would take all of the event loop. */
  readonly body: FileBody
  /**
   * From `newFileId`, when the id is given out before the file exists. It can be stored only once.
   */
  readonly id?: string
}

export const newFileId = (): string => randomBytes(16).toString('hex')

/**
 * Streams a file to storage for `limits.fileDays`. The record is stored first, so that bytes never
 * remain without one. Throws TooLarge beyond the size limit or the organization's quota, and
 * Unavailable during a concurrent upload under the same given id.
 */
export async function keepFile(ctx: FileOwnerContext, file: NewFile): Promise<FileRecord> {
  try {
    return await keep(ctx, file)
  } catch (error) {
    throw error instanceof Stale
      ? new Unavailable('The file is being written by another request. Try again.')
      : error
  }
}

/** The id of a stored part of a larger file; null when there is no room for it. */
export async function keepPart(ctx: FileOwnerContext, file: NewFile): Promise<string | null> {
  const kept = await keepFile(ctx, file).catch(ignoring(TooLarge))
  return kept?.id ?? null
}

async function keep(ctx: FileOwnerContext, file: NewFile): Promise<FileRecord> {
  const room = limits.fileQuotaBytes - limits.fileBaseBytes - (await usedBytes(ctx))
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
    // Under a given id the next attempt continues, possibly another caller's.
    if (file.id === undefined) await removeFile(ctx, record.id)
    throw error
  }
  const kept = await fill(ctx, file.body, { record, begun, room }).catch(undo)
  // Concurrent uploads may each have seen room, so one that exceeds the quota is undone.
  const used = await usedBytes(ctx).catch(undo)
  if (used <= limits.fileQuotaBytes) return kept
  await removeFile(ctx, record.id)
  throw overQuota()
}

async function fill(
  ctx: FileOwnerContext,
  body: FileBody,
  { record, begun, room }: { record: FileRecord; begun: Stored<FileRecord>; room: number },
): Promise<FileRecord> {
  try {
    const most = Math.min(room, limits.fileBytes)
    const { bytes } = await ctx.files.write(record.id, body, most)
    const kept = { ...record, bytes, complete: true }
    await filesOf(ctx).replace(record.id, kept, begun, { ...deadline(), refresh: true })
    return kept
  } catch (error) {
    throw error instanceof TooLarge && room < limits.fileBytes ? overQuota() : error
  }
}

/** An interrupted upload may have started under the same given id. */
async function beginAgain(
  files: Collection<FileRecord>,
  record: FileRecord,
): Promise<Stored<FileRecord>> {
  const found = await files.get(record.id, deadline())
  if (!found) return files.create(record.id, record, deadline()).catch(conflictAsStale)
  return found.source.complete ? found : files.replace(record.id, record, found, deadline())
}

/** Removes a file of the organization. One that cannot be removed now is removed when it expires. */
export async function removeFile(ctx: FileContext, id: string): Promise<void> {
  await ctx.files.remove(id).catch(() => undefined)
  await filesOf(ctx)
    .remove(id, deadline())
    .catch(() => undefined)
}

/** Removes files like removeFile, a few at a time, since there may be thousands. */
export async function removeFiles(ctx: FileContext, ids: readonly string[]): Promise<void> {
  await mapLimited(ids, REMOVED_AT_ONCE, (id) => removeFile(ctx, id))
}

/** Finds a complete, unexpired file. Throws NotFound, also for a file of another organization. */
export async function findFile(ctx: FileOwnerContext, id: string): Promise<FileRecord> {
  const { keyType, keyId } = ctx.caller
  const found = await findAnyFile(ctx, id)
  // Import keys are embedded in scripts, so one reads only the files that it uploaded.
  if (keyType === 'import' && found.importKey !== keyId) throw new NotFound('File')
  return found
}

/**
 * Like findFile, but also finds files that the caller's key may not read, such as one that an
 * administrator chose.
 */
export async function findAnyFile(ctx: FileContext, id: string): Promise<FileRecord> {
  const found = (await filesOf(ctx).get(id, deadline()))?.source
  const usable = found?.complete && found.expires > ctx.clock.now().toISOString()
  if (!usable) throw new NotFound('File')
  return found
}
