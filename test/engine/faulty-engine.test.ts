import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { engineFolders } from '../../src/elastic/engine-folders.ts'
import { endLeftover } from '../../src/elastic/engine-leftover.ts'
import { thisMachine } from '../../src/elastic/engine-machine.ts'
import { startEngine } from '../../src/elastic/engine-process.ts'
import { startFailure } from '../../src/elastic/engine-start-failure.ts'
import { dataFolder, gone, isAlive, pidsOf } from './engine-process.ts'

let folder: string
beforeEach(async () => {
  folder = await dataFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Starts a program of ours in place of bin/elasticsearch. */
async function startInstead(script: string) {
  const program = join(folder, 'bin/elasticsearch')
  await mkdir(join(folder, 'bin'))
  await writeFile(program, script)
  await chmod(program, 0o755)
  // As us, since another user may not reach what we run here.
  const machine = { ...thisMachine(), uid: undefined }
  const folders = await engineFolders(machine, folder)
  const jdk = { home: '/nowhere', major: 25 }
  return startEngine({ machine, home: folder, jdk, folders, dataDir: folder })
}

test('an engine that ends while starting is reported with its reason and leaves no pid file', async () => {
  const started = startInstead('#!/bin/sh\necho "fatal error: no such module"\nexit 1\n')
  await expect(started).rejects.toThrow(
    `Elasticsearch ended while starting (fatal error: no such module): see ${folder}/elasticsearch/logs.`,
  )
  expect(existsSync(join(folder, 'elasticsearch.pid'))).toBe(false)
})

test('an engine that ends later is told, one that is stopped is not', async () => {
  const script = `#!${process.execPath}
const { createServer } = require('node:http')
const { writeFileSync } = require('node:fs')
writeFileSync('server.pid', String(process.pid))
const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1', () =>
  writeFileSync('logs/http.ports', '127.0.0.1:' + server.address().port + '\\n'))
`
  const engine = await startInstead(script)
  const [pid] = pidsOf(folder)
  process.kill(pid, 'SIGKILL')
  expect(await engine.exited).toBe(`Elasticsearch ended: see ${folder}/elasticsearch/logs.`)
  await gone([pid])

  await rm(join(folder, 'bin'), { recursive: true })
  const next = await startInstead(script)
  let told = false
  next.exited.then(() => {
    told = true
  })
  const [other] = pidsOf(folder)
  await next.stop()
  await gone([other], 0)
  expect(told).toBe(false)
})

test('the next start ends what a pid file names, unless the number is of another program now', async () => {
  const root = join(folder, 'elasticsearch')
  await mkdir(root)
  const engine = spawn('sh', ['-c', 'while :; do sleep 1; done', `-Djava.io.tmpdir=${root}/tmp`])
  const another = spawn('sleep', ['60'])
  await writeFile(join(folder, 'elasticsearch.pid'), `${another.pid}\n`)
  await writeFile(join(root, 'server.pid'), `${engine.pid}`)
  expect(await endLeftover(folder, root)).toEqual([engine.pid])
  await gone([engine.pid!])
  expect(isAlive(another.pid!)).toBe(true)
  another.kill()
  expect(await endLeftover(folder, root)).toEqual([])
})

test.each([
  ['java.io.IOException: No space left on device', 'found the disk full: make room'],
  ['There is insufficient memory for the Java Runtime Environment', 'about 1.5 GB of free memory'],
  [
    'failed to obtain node locks, tried [/data]',
    'Another Elasticsearch works in the same DATA_DIR',
  ],
  ['cannot downgrade a node from version [9.6.0] to version [9.5.3]', 'by a newer Elasticsearch'],
  ['', 'ended while starting (it printed no reason): see /logs.'],
])('"%s" becomes advice', (printed, advice) => {
  const { message } = startFailure(`WARNING: an error of no importance\n${printed}\n`, '/logs')
  expect(message).toContain(advice)
  expect(message).not.toContain('\n')
})
