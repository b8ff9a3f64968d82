import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives the run a temporary folder of its own, which is removed with all that tests leave in it. */
export default async function setup() {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-tests-'))
  // Started by root, an engine in it runs as another user.
  await chmod(folder, 0o755)
  process.env.TMPDIR = folder
  return () => rm(folder, { recursive: true, force: true })
}
