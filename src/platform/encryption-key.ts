import { join } from 'node:path'
import { StartupFailure } from '../errors.ts'
import { createFileIfAbsent } from './create-file-if-absent.ts'
import { readOptionalFile } from './read-optional-file.ts'
import { newEncryptionKey } from './secrets.ts'

/**
 * The key in DATA_DIR, created on first use and readable by this user only. It is written
 * atomically: half a key would lose everything sealed with it.
 */
export async function keptEncryptionKey(folder: string): Promise<string> {
  const path = join(folder, 'encryption-key')
  const kept = await readOptionalFile(path)
  if (kept !== undefined) return kept.trim()
  await createFileIfAbsent(path, `${newEncryptionKey()}\n`).catch(
    ({ code }: NodeJS.ErrnoException) => {
      throw new StartupFailure(
        `${path} cannot be written (${code}): make it writable for this user.`,
      )
    },
  )
  return (await readOptionalFile(path))!.trim()
}
