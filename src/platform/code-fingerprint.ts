import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { once } from './once.ts'

/** The paths of all files in a folder, in the same order on every machine. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort()
}

/** A fingerprint of the files of a folder, the same on every machine. */
export async function folderFingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await filesIn(folder)) {
    const content = await readFile(file)
    hash.update(`${file.slice(folder.length)} ${content.length}\n`).update(content)
  }
  return hash.digest('base64url')
}

/** A fingerprint of the running code, which all instances of a release share and no others. */
export const codeFingerprint = once(() => folderFingerprint(dirname(import.meta.dirname)))
