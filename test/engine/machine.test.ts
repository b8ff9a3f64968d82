import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findJdks, type Machine, usableJdk } from '../../src/engine/machine.ts'
import { provideElasticsearch } from '../../src/engine/provider.ts'

let folder: string
const at = (...parts: string[]) => join(folder, ...parts)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-machine-'))
  await mkdir(at('bin'))
})
afterEach(() => rm(folder, { recursive: true }))

async function program(name: string, script = 'exit 0'): Promise<void> {
  await writeFile(at('bin', name), `#!/bin/sh\n${script}\n`)
  await chmod(at('bin', name), 0o755)
}

/** A folder that looks like a JDK of this version. */
async function jdk(name: string, version: string): Promise<string> {
  await mkdir(at(name, 'bin'), { recursive: true })
  for (const tool of ['java', 'javac']) {
    await writeFile(at(name, 'bin', tool), '#!/bin/sh\n')
    await chmod(at(name, 'bin', tool), 0o755)
  }
  await writeFile(at(name, 'release'), `IMPLEMENTOR="x"\nJAVA_VERSION="${version}"\n`)
  return at(name)
}

const machine = (env: NodeJS.ProcessEnv = {}, jvmFolders = [at('jvm')]): Machine => ({
  env: { PATH: at('bin'), HOME: at('home'), ...env },
  jvmFolders,
  uid: 1000,
})

describe('finding a JDK', () => {
  test('prefers JAVA_HOME to a newer one elsewhere', async () => {
    await jdk('jvm/jdk-26', '26.0.1')
    const JAVA_HOME = await jdk('mine', '21.0.8')
    expect(usableJdk(await findJdks(machine({ JAVA_HOME })))).toEqual({
      home: JAVA_HOME,
      major: 21,
    })
  })

  test('uses the newest in the usual folders if JAVA_HOME is too old', async () => {
    const JAVA_HOME = await jdk('old', '1.8.0_402')
    await jdk('jvm/jdk-21', '21')
    const newest = await jdk('jvm/jdk-25', '25.0.3')
    expect(usableJdk(await findJdks(machine({ JAVA_HOME })))).toEqual({ home: newest, major: 25 })
  })

  test('finds the one of java on PATH', async () => {
    const home = await jdk('somewhere', '23')
    const PATH = [at('missing'), join(home, 'bin')].join(delimiter)
    expect(usableJdk(await findJdks(machine({ PATH })))).toEqual({ home, major: 23 })
  })

  test('does not use a runtime without a compiler', async () => {
    await rm(join(await jdk('jvm/jre-21', '21'), 'bin/javac'))
    expect(await findJdks(machine())).toEqual([])
  })
})

describe('a machine that cannot run Elasticsearch is reported with the reason and advice', () => {
  const advice =
    'install JDK 21 or newer and Maven, or Docker with Compose, or set ELASTICSEARCH_URL.'
  const failure = () =>
    provideElasticsearch(
      { image: 'elasticsearch:9.5.3', dataDir: at('data') },
      { order: ['external', 'embedded', 'docker'], say: () => {}, machine: machine() },
    ).catch((error: Error) => `${error.name}: ${error.message}`)

  test('no JDK', async () => {
    expect(await failure()).toBe(
      `StartupFailure: Elasticsearch cannot be started here (no JDK 21 or newer found; Docker not found): ${advice}`,
    )
  })

  test('JDK too old', async () => {
    const home = await jdk('jvm/jdk-17', '17.0.15')
    await program('mvn')
    expect(await failure()).toContain(
      `(the JDK in ${home} is version 17, but 21 or newer is required; Docker not found): ${advice}`,
    )
  })

  test('no Maven', async () => {
    await jdk('jvm/jdk-21', '21')
    expect(await failure()).toContain('(Maven (mvn) not found on PATH; Docker not found)')
  })

  test('Docker without permission', async () => {
    await program('docker', 'echo "permission denied while trying to connect" >&2; exit 1')
    expect(await failure()).toContain('this user is not in the docker group')
  })

  test('Docker that does not respond', async () => {
    await program('docker', 'echo "Cannot connect to the Docker daemon" >&2; exit 1')
    expect(await failure()).toContain('; Docker does not respond)')
  })

  test('Docker without Compose', async () => {
    await program('docker', '[ "$1" = info ]')
    expect(await failure()).toContain('; the Docker Compose plugin is not installed)')
  })
})
