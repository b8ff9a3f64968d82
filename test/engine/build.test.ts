import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Build, buildEngine, downloadState, mavenFailure } from '../../src/engine/build.ts'
import { thisMachine } from '../../src/engine/machine.ts'
import { ENGINE_SOURCE, ENGINE_VERSION, engineName } from '../../src/engine/version.ts'

let folder: string
let build: Build
const said: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-build-'))
  said.length = 0
  build = {
    source: ENGINE_SOURCE,
    cache: join(folder, 'cache'),
    jdk: { home: '/nowhere', major: 25 },
    maven: join(folder, 'mvn'),
    machine: thisMachine(),
    say: (line) => said.push(line),
  }
})
afterEach(() => rm(folder, { recursive: true }))

/** Installs a fake Maven that runs a script in its folders, and counts its runs. */
async function maven(script: string): Promise<void> {
  const text = `#!/bin/sh
echo run >> ${folder}/runs
for word; do case $word in -Dengine.home=*) home=\${word#*=}/elasticsearch-${ENGINE_VERSION};; esac; done
${script}
`
  await writeFile(build.maven!, text)
  await chmod(build.maven!, 0o755)
}

const runs = async () => (await readFile(join(folder, 'runs'), 'utf8')).trim().split('\n').length

describe('building the engine', () => {
  test('happens once, even if several services start concurrently', async () => {
    await maven('sleep 0.3; mkdir -p $home; touch $home/built')
    const built = await Promise.all([buildEngine(build), buildEngine(build), buildEngine(build)])
    expect(new Set(built)).toEqual(new Set([join(build.cache, await engineName(ENGINE_SOURCE))]))
    expect(existsSync(join(built[0]!, 'built'))).toBe(true)
    expect(await buildEngine(build)).toBe(built[0])
    expect(await runs()).toBe(1)
    expect(said).toContain('waiting for another process to download Elasticsearch')
  })

  test('leaves nothing behind if Maven fails, and succeeds the next time', async () => {
    await maven('mkdir -p $home; echo "[ERROR] Could not transfer artifact x"; exit 1')
    await expect(buildEngine(build)).rejects.toThrow(
      `Maven could not download and build Elasticsearch ${ENGINE_VERSION} (Could not transfer artifact x): check the network and the Maven settings, then start again.`,
    )
    expect(await readdir(build.cache)).toEqual([])
    await maven('mkdir -p $home')
    await buildEngine(build)
    expect(await readdir(build.cache)).toEqual([await engineName(ENGINE_SOURCE)])
  })

  test('continues after a build that was killed', async () => {
    const name = await engineName(ENGINE_SOURCE)
    await mkdir(join(build.cache, `${name}.tmp-abc`), { recursive: true })
    await writeFile(join(build.cache, `${name}.lock`), '')
    const longAgo = new Date(Date.now() - 60_000)
    await utimes(join(build.cache, `${name}.lock`), longAgo, longAgo)
    await maven('mkdir -p $home')
    await buildEngine(build)
    expect(await readdir(build.cache)).toEqual([name])
  })

  test('requires Maven only if there is something to build', async () => {
    await maven('mkdir -p $home')
    await expect(buildEngine({ ...build, maven: undefined })).rejects.toThrow('install Maven')
    await buildEngine(build)
    expect(await buildEngine({ ...build, maven: undefined })).toContain(ENGINE_VERSION)
  })

  test('creates files that any user can read, whatever the umask', async () => {
    await maven('mkdir -p $home; umask > $home/umask')
    expect(await readFile(join(await buildEngine(build), 'umask'), 'utf8')).toMatch(/^0*22\n$/)
  })
})

describe('the output of Maven', () => {
  test.each([
    ['Progress (2): 1.1 MB | 26/132 MB', '26 of 132 MB'],
    [
      'Downloading from central: https://a.example/b/maven-jar-plugin-3.4.2.jar',
      'Maven downloads maven-jar-plugin-3.4.2.jar',
    ],
    ['Progress (1): 8.2 kB', undefined],
    ['[INFO] Building jar', undefined],
  ])('%s is turned into progress', (line, state) => expect(downloadState(line)).toBe(state))

  test('is turned into one sentence without colors', () => {
    const lines = ['[\u001b[1;31mERROR\u001b[m] Failed: No space left on device', '[ERROR] more']
    expect(mavenFailure(lines)).toBe(
      `Maven could not download and build Elasticsearch ${ENGINE_VERSION} (Failed: No space left on device): free up space on that disk.`,
    )
  })

  test.each([
    ['engine/pom.xml', `<elasticsearch.version>${ENGINE_VERSION}</elasticsearch.version>`],
    ['docker-compose.yml', `elasticsearch:${ENGINE_VERSION}`],
    ['src/config.ts', `'elasticsearch:${ENGINE_VERSION}'`],
    ['test/support/container.ts', `'elasticsearch:${ENGINE_VERSION}'`],
  ])('%s contains the same version', async (file, text) => {
    expect(await readFile(file, 'utf8')).toContain(text)
  })
})
