import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { engineFolders } from '../../src/engine/folders.ts'
import { thisMachine } from '../../src/engine/machine.ts'

/**
 * Configures the engine of this data folder to compile for a run of minutes: full optimization
 * costs more than it saves, a third of the engine's processor time in a run of the suite. Memory is
 * touched when it is used, since engines start several times.
 */
export async function expectShortLife(dataDir: string): Promise<void> {
  const { config } = await engineFolders(thisMachine(), dataDir)
  const folder = join(config, 'jvm.options.d')
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'short-lived.options'),
    '-XX:TieredStopAtLevel=1\n-XX:-AlwaysPreTouch\n',
  )
}
