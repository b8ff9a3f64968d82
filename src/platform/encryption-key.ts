import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupFailure } from '../errors.ts'
import { createOnce } from './create-once.ts'
import { newEncryptionKey } from './secrets.ts'

/**
 * The key in DATA_DIR, created on first use and readable by this user only. It is written
 * atomically: half a key would lose everything sealed with it.
 */
export async function keptEncryptionKey(folder: string): Promise<string> {
  const path = join(folder, 'encryption-key')
  const kept = await read(path)
  if (kept !== undefined) return kept
  await createOnce(path, `${newEncryptionKey()}\n`).catch(({ code }: NodeJS.ErrnoException) => {
    throw new StartupFailure(`${path} cannot be written (${code}): make it writable for this user.`)
  })
  return (await read(path))!
}

async function read(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new StartupFailure(`${path} cannot be read (${code}): make it readable for this user.`)
  }
}
