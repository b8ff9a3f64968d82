import { existsSync } from 'node:fs'
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartupFailure } from '../errors.ts'
import { takeLock } from './process-lock.ts'
import { readOptionalFile } from './read-optional-file.ts'

/** Increased when a release can no longer read the data of an older one, or the other way round. */
const DATA_VERSION = 1
const MINIMUM_FREE_BYTES = 1024 ** 3

/**
 * Creates and locks DATA_DIR until `release`: writable, with free space, of a readable version, and
 * unused by other services. Throws StartupFailure with a remedy.
 */
export async function openDataFolder(path: string, { minimumFreeBytes = MINIMUM_FREE_BYTES } = {}) {
  await makeWritable(path)
  await checkSpace(path, minimumFreeBytes)
  const lock = join(path, 'service.lock')
  const holder = await takeLock(lock)
  if (holder !== undefined) {
    throw new StartupFailure(
      `Another Aisle (process ${holder}) uses DATA_DIR ${path}: stop it, or set another DATA_DIR.`,
    )
  }
  const release = () => rm(lock, { force: true })
  try {
    await checkVersion(path)
  } catch (error) {
    await release()
    throw error
  }
  return { path, release }
}

async function makeWritable(path: string): Promise<void> {
  const probe = join(path, `.write-${process.pid}`)
  try {
    await makeFolder(path)
    await writeFile(probe, 'x')
    await rm(probe)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    await rm(probe, { force: true }).catch(() => undefined)
    throw new StartupFailure(
      code === 'ENOSPC' || code === 'EDQUOT'
        ? `The disk of DATA_DIR ${path} is full: free up space, or set DATA_DIR to a folder on another disk.`
        : `DATA_DIR ${path} cannot be written (${code}): make it writable for this user, or set another DATA_DIR.`,
      { cause },
    )
  }
}

/** Like mkdir with `recursive`, which never returns where the system makes no folders (/proc). */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error
    await makeFolder(dirname(path))
    await mkdir(path)
  }
}

async function checkSpace(path: string, minimum: number): Promise<void> {
  const { bavail, bsize } = await statfs(path)
  if (bavail * bsize >= minimum) return
  const mebibytes = (bytes: number) => Math.floor(bytes / 1024 ** 2)
  throw new StartupFailure(
    `Only ${mebibytes(bavail * bsize)} MiB are free on the disk of DATA_DIR ${path}, but ${mebibytes(minimum)} MiB are needed: free up space, or set DATA_DIR to a folder on another disk.`,
  )
}

async function checkVersion(path: string): Promise<void> {
  const marker = join(path, 'version')
  const text = await readOptionalFile(marker)
  if (text === undefined) return writeFile(marker, `${DATA_VERSION}\n`)
  const found = /^\d{1,6}\n?$/.test(text) ? Number(text) : undefined
  if (found === undefined) {
    throw new StartupFailure(
      `${marker} contains no version: set DATA_DIR to a folder that only Aisle uses.`,
    )
  }
  if (found > DATA_VERSION) {
    throw new StartupFailure(
      `DATA_DIR ${path} was written by a newer version of Aisle (data version ${found}, but this one reads ${DATA_VERSION}): start the newer version, or set another DATA_DIR.`,
    )
  }
}
