import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engineFolders } from '../../src/engine/folders.ts'
import { thisMachine } from '../../src/engine/machine.ts'
import { endOrphanedEngine } from '../../src/engine/orphaned-process.ts'
import { startEngine } from '../../src/engine/process.ts'
import { keepRunning, type RestartTarget } from '../../src/engine/restart.ts'
import { startFailure } from '../../src/engine/start-failure.ts'
import { dataFolder, gone, isAlive, pidsOf, until } from './engine-process.ts'

let folder: string
beforeEach(async () => {
  folder = await dataFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Installs a script in place of bin/elasticsearch. */
async function install(script: string) {
  const program = join(folder, 'bin/elasticsearch')
  await mkdir(join(folder, 'bin'), { recursive: true })
  await writeFile(program, script)
  await chmod(program, 0o755)
}

/** Starts the installed script as an engine. */
async function startInstalled(again?: RestartTarget) {
  // As the current user, since another one may not be able to read the script.
  const machine = { ...thisMachine(), uid: undefined }
  const folders = await engineFolders(machine, folder)
  const jdk = { home: '/nowhere', major: 25 }
  const signal = again?.signal
  return startEngine({ machine, home: folder, jdk, folders, dataDir: folder, signal })
}

async function startInstead(script: string) {
  await install(script)
  return startInstalled()
}

/** A script that answers like an engine, as far as the start checks it. */
const answering = `#!${process.execPath}
const { createServer } = require('node:http')
const { writeFileSync } = require('node:fs')
writeFileSync('server.pid', String(process.pid))
const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1', () =>
  writeFileSync('logs/http.ports', '127.0.0.1:' + server.address().port + '\\n'))
`
const failing = '#!/bin/sh\necho "fatal error: no such module"\nexit 1\n'
const NO_MODULE = 'Elasticsearch exited while starting (fatal error: no such module)'

test('an engine that exits while starting is reported with the reason and leaves no pid file', async () => {
  const started = startInstead(failing)
  await expect(started).rejects.toThrow(`${NO_MODULE}: see ${folder}/elasticsearch/logs.`)
  expect(existsSync(join(folder, 'elasticsearch.pid'))).toBe(false)
})

test('an engine that exits later is reported, one that is stopped is not', async () => {
  const engine = await startInstead(answering)
  const [pid] = pidsOf(folder)
  process.kill(pid, 'SIGKILL')
  expect(await engine.exited).toBe(`Elasticsearch exited: see ${folder}/elasticsearch/logs.`)
  await gone([pid])

  await rm(join(folder, 'bin'), { recursive: true })
  const next = await startInstead(answering)
  let told = false
  next.exited.then(() => {
    told = true
  })
  const [other] = pidsOf(folder)
  await next.stop()
  await gone([other], 0)
  expect(told).toBe(false)
})

describe('an engine that is restarted', () => {
  const keep = async (script: string) => {
    await install(script)
    const said: string[] = []
    let starts = 0
    const start = async (again?: RestartTarget) => {
      const running = await startInstalled(again)
      starts += 1
      return running
    }
    const engine = await keepRunning(start, { say: (line) => said.push(line), firstPauseMs: 1 })
    const started = (times: number) =>
      until(() => starts === times, { milliseconds: 5_000, what: `${times} starts` })
    return { engine, said, started }
  }
  const diesOf = (why: string) =>
    `${answering}\nprocess.on('SIGTERM', () => { console.log('${why}'); process.exit(3) })\n`

  test('is restarted whenever it dies, which is logged with its last output', async () => {
    const { engine, said, started } = await keep(
      diesOf('Terminating due to java.lang.OutOfMemoryError'),
    )
    for (const times of [1, 2]) {
      const [pid] = pidsOf(folder)
      process.kill(pid, 'SIGTERM')
      await gone([pid])
      await started(times + 1)
      expect(said).toHaveLength(2 * times)
    }
    expect(said[0]).toBe(
      `Elasticsearch exited (Terminating due to java.lang.OutOfMemoryError): see ${folder}/elasticsearch/logs.`,
    )
    expect(said.filter((_, n) => n % 2 === 1)).toEqual([
      'restarting Elasticsearch in 0.001 s',
      'restarting Elasticsearch in 0.002 s',
    ])
    const [last] = pidsOf(folder)
    await engine.stop()
    await gone([last], 0)
  })

  test('is given up with the reason after six failed starts', async () => {
    const { engine, said } = await keep(answering)
    await install(failing)
    process.kill(pidsOf(folder)[0], 'SIGKILL')
    expect(await engine.exited).toContain(NO_MODULE)
    expect(said.filter((line) => line.startsWith('restarting Elasticsearch'))).toHaveLength(6)
  })

  test('can be stopped during a restart, and while waiting for one', async () => {
    const { engine } = await keep(answering)
    await install('#!/bin/sh\necho > started\nexec sleep 60\n')
    process.kill(pidsOf(folder)[0], 'SIGKILL')
    const started = join(folder, 'elasticsearch/started')
    await until(() => existsSync(started), { milliseconds: 5_000, what: 'a start' })
    // The file is written after the process has started, and is empty for a moment.
    const pidFile = join(folder, 'elasticsearch.pid')
    const pid = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0)
    await until(() => pid() > 0, { milliseconds: 5_000, what: 'a pid' })
    const starting = pid()
    await engine.stop()
    await gone([starting], 0)
  })
})

test('the next start ends the process in a pid file, unless the pid now belongs to another program', async () => {
  const root = join(folder, 'elasticsearch')
  await mkdir(root)
  const engine = spawn('sh', ['-c', 'while :; do sleep 1; done', `-Djava.io.tmpdir=${root}/tmp`])
  const another = spawn('sleep', ['60'])
  await writeFile(join(folder, 'elasticsearch.pid'), `${another.pid}\n`)
  await writeFile(join(root, 'server.pid'), `${engine.pid}`)
  expect(await endOrphanedEngine(folder, root)).toEqual([engine.pid])
  await gone([engine.pid!])
  expect(isAlive(another.pid!)).toBe(true)
  another.kill()
  expect(await endOrphanedEngine(folder, root)).toEqual([])
})

test.each([
  ['java.io.IOException: No space left on device', 'disk of Elasticsearch is full: free up space'],
  ['There is insufficient memory for the Java Runtime Environment', 'about 1.5 GB of free memory'],
  ['failed to obtain node locks, tried [/data]', 'Another Elasticsearch uses the same DATA_DIR'],
  [
    'org.elasticsearch.http.BindHttpException: Failed to bind to 127.0.0.1:4000',
    'Another program listens on the port',
  ],
  ['cannot downgrade a node from version [9.6.0] to version [9.5.3]', 'by a newer Elasticsearch'],
  ['', 'exited while starting (no reason given): see /logs.'],
])('"%s" is explained with advice', (printed, advice) => {
  const { message } = startFailure(`WARNING: an error of no importance\n${printed}\n`, '/logs')
  expect(message).toContain(advice)
  expect(message).not.toContain('\n')
})
