/** Proves that the Docker provider starts, keeps data, stops, and ends with a killed service. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { provideElasticsearch } from '../../src/engine/provider.ts'

const image = process.env.ELASTICSEARCH_IMAGE ?? 'elasticsearch:9.5.3'
const dataDir = process.argv[2] ?? (await mkdtemp(join(tmpdir(), 'aisle-docker-')))
const say = (line: string) => console.log(line)
const provide = () => provideElasticsearch({ image, dataDir }, { order: ['docker'], say })
const containers = () =>
  execFileSync('docker', ['ps', '--quiet', '--filter', `ancestor=${image}`], { encoding: 'utf8' })

if (process.argv[2] !== undefined) {
  // The service that is going to be killed.
  await provide()
  say('ready')
  await pause(600_000)
}

const first = await provide()
const headers = { 'content-type': 'application/json' }
const put = await fetch(`${first.node}/kept/_doc/1`, { method: 'PUT', headers, body: '{}' })
assert.equal(put.status, 201)
await first.stop()
assert.equal(containers(), '', 'the container stops with the service')

const again = await provide()
assert.equal((await fetch(`${again.node}/kept/_doc/1`)).status, 200, 'data is kept')
await again.stop()

const service = spawn(process.execPath, [import.meta.filename, dataDir], { stdio: 'pipe' })
await new Promise<void>((done) => {
  service.stdout.on('data', (text) => String(text).includes('ready') && done())
})
assert.notEqual(containers(), '')
service.kill('SIGKILL')
for (let tries = 0; containers() !== '' && tries < 150; tries++) await pause(200)
assert.equal(containers(), '', 'the container ends with a killed service')
await rm(dataDir, { recursive: true })
say('the Docker provider starts, keeps data and ends with its service')
process.exit(0)
