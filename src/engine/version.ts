import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesIn } from '../platform/code-fingerprint.ts'

/** The version that engine/pom.xml names; a test compares them. */
export const ENGINE_VERSION = '9.5.3'

/** Source of the embedded engine: a Maven project. */
export const ENGINE_SOURCE = fileURLToPath(new URL('../../engine', import.meta.url))

/** Name of a build: another source gives another name, so a build is never stale. */
export async function engineName(source: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(source, 'pom.xml')))
  for (const path of await filesIn(join(source, 'src'))) {
    hash.update(`\0${path.slice(source.length)}\0`).update(await readFile(path))
  }
  return `elasticsearch-${ENGINE_VERSION}-${hash.digest('hex').slice(0, 12)}`
}

/** Negative when `a` is the older one; both as in 9.5.3. */
export const compareVersions = (a: string, b: string): number =>
  a.localeCompare(b, 'en', { numeric: true })
