import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { type Started, startProcess } from '../support/started.ts'

const KEY = 'operator-key-of-these-tests-with-32-characters'
/** Maximum milliseconds for the whole stop. */
const STOP_MS = 15_000

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'aisle-start-'))
})

const running = new Set<Started>()
afterEach(async () => {
  await Promise.all([...running].map(({ kill }) => kill()))
  running.clear()
})

function start(settings: Record<string, string> = {}, { npm = false } = {}): Started {
  const started = startProcess({ dataDir, prefix: 'start', settings, npm })
  running.add(started)
  return started
}

describe('npm start', () => {
  test('prints an operator key once, and a curl line that works', async () => {
    const first = start()
    const key = await first.printed(/^aisle: operator key \(shown only once\): (\S+)\n/m)
    const address = await first.listening()
    const answer = await fetch(`${address}/api/organizations`, {
      headers: { 'x-api-version': '6.0', 'x-api-key': key },
    })
    expect(answer.status).toBe(200)
    const curl = await first.printed(/^aisle: try: curl (\S+)\n/m)
    expect(await (await fetch(curl)).text()).toMatch(/^elasticsearch: ok/)
    first.child.kill('SIGTERM')
    expect((await first.exited).status).toBe(0)

    const second = start()
    await second.listening()
    second.child.kill('SIGINT')
    const { status, stdout, stderr } = await second.exited
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).not.toContain('operator key')
  })

  test.each([
    ['a setting is wrong', { PORT: 'http' }, /^aisle: PORT must be .+\n$/],
    [
      'the key is too short',
      { BOOTSTRAP_API_KEY: 'short' },
      /^aisle: BOOTSTRAP_API_KEY must have .+\n$/,
    ],
    [
      'Elasticsearch does not answer',
      { ELASTICSEARCH_URL: 'http://127.0.0.1:9' },
      /^aisle: ELASTICSEARCH_URL http:\/\/127\.0\.0\.1:9 does not respond .+\n$/,
    ],
    ['the data folder cannot be made', { DATA_DIR: '/proc/aisle' }, /^aisle: DATA_DIR .+\n$/],
  ])('reports in one sentence that %s', async (_what, settings, sentence) => {
    const { status, stderr } = await start(settings).exited
    expect(stderr).toMatch(sentence)
    expect(status).toBe(1)
  })

  test('answers no request before its first key works', async () => {
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const { port } = free.address() as AddressInfo
    await new Promise((closed) => free.close(closed))
    const key = `${crypto.randomUUID()}${crypto.randomUUID()}`
    const { listening } = start({ PORT: String(port), BOOTSTRAP_API_KEY: key })
    const statuses = new Set<number>()
    const headers = { 'x-api-version': '6.0', 'x-api-key': key }
    const ask = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers }).then(
        async (answer) => ({ status: answer.status, text: await answer.text() }),
        () => ({ status: undefined, text: '' }),
      )
    const ready = listening()
    for (;;) {
      const alive = await ask('/api/status')
      const usable = await ask('/api/status/connections')
      const { status } = await ask('/api/organizations')
      if (status !== undefined) statuses.add(status)
      // Health checks and load balancers rely on these, so ready must mean that calls succeed.
      if (alive.text === 'ok') expect(usable.status).toBe(200)
      if (usable.status === 200) expect(status).toBe(200)
      if (status === 200) break
      expect([undefined, 'starting']).toContain(alive.text || undefined)
    }
    await ready
    expect([...statuses].filter((status) => status !== 503 && status !== 200)).toEqual([])
  })

  test('continues if Elasticsearch is too busy for a moment', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const refused = new Set<string>()
    proxy.set('busy', (line) => {
      const kind = /_analyze|_cluster\/settings/.exec(line)?.[0]
      return kind !== undefined && refused.size < refused.add(kind).size
    })
    const service = start({ ELASTICSEARCH_URL: proxy.node, BOOTSTRAP_API_KEY: KEY })
    await service.listening()
    expect([...refused].sort()).toEqual(['_analyze', '_cluster/settings'])
    service.child.kill('SIGTERM')
    expect(await service.exited).toMatchObject({ status: 0, stderr: '' })
    await proxy.close()
  })

  test('logs a failure that nobody handles, and goes on', async () => {
    const mistake = `process.on('SIGUSR2', () => Promise.reject(new Error('unheard')))`
    const service = start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURI(mistake)}` })
    const address = await service.listening()
    let said = ''
    service.child.stderr!.on('data', (chunk) => {
      said += chunk
    })
    service.child.kill('SIGUSR2')
    await expect.poll(() => said).toContain('"message":"unheard"')
    expect((await fetch(`${address}/api/status`)).status).toBe(200)
    service.child.kill('SIGTERM')
    expect((await service.exited).status).toBe(0)
  })

  test('reports in one sentence that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { status, stderr } = await start({ PORT: String(port) }).exited
    other.close()
    expect(stderr).toBe(
      `aisle: Port ${port} is already in use: stop the process that listens on it, or set PORT to another port.\n`,
    )
    expect(status).toBe(1)
  })
})

describe('a stop', () => {
  test('completes running requests, accepts no others and leaves nothing behind', async () => {
    const service = start({ BOOTSTRAP_API_KEY: KEY })
    const address = await service.listening()
    const headers = { 'x-api-version': '6.0', 'x-api-key': KEY }
    const organization = await fetch(`${address}/api/organizations`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'stopping', name: 'Stopping' }),
    })
    expect(organization.status).toBe(200)

    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const file = writable.getWriter()
    const upload = fetch(`${address}/api/files`, {
      method: 'POST',
      headers: { ...headers, 'x-organization': 'stopping' },
      body: readable,
      duplex: 'half',
    } as RequestInit)
    await file.write(Buffer.from('the first half, '))
    // An idle keep-alive connection must not delay the stop.
    const silent = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
    await once(silent, 'connect')
    // Once this is answered, earlier connections have been accepted.
    await (await fetch(`${address}/api/status`)).text()

    const asked = performance.now()
    service.child.kill('SIGTERM')
    await service.printed(/^(aisle: stopping)\n/m)
    await expect.poll(() => fetch(`${address}/api/status`).catch(() => 'refused')).toBe('refused')
    await file.write(Buffer.from('the second'))
    await file.close()
    expect((await upload).status).toBe(200)
    const { status, stderr } = await service.exited
    expect([status, stderr]).toEqual([0, ''])
    expect(performance.now() - asked).toBeLessThan(STOP_MS)
    silent.destroy()

    const next = start({ BOOTSTRAP_API_KEY: KEY })
    await next.listening()
  })

  test('does not wait forever for a request that does not end', async () => {
    const service = start({ BOOTSTRAP_API_KEY: KEY })
    const address = await service.listening()
    const stuck = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
    await once(stuck, 'connect')
    stuck.write('POST /api/files HTTP/1.1\r\nhost: x\r\nx-api-version: 6.0\r\n')
    stuck.write(`x-api-key: ${KEY}\r\nx-organization: stopping\r\ncontent-length: 9\r\n\r\nhalf`)
    const asked = performance.now()
    service.child.kill('SIGTERM')
    expect((await service.exited).status).toBe(0)
    expect(performance.now() - asked).toBeLessThan(STOP_MS)
  })
})

describe('the end of npm start', () => {
  const startNpm = async () => {
    // As in a terminal, npm leads the group and is the process that a supervisor knows.
    const service = start({ BOOTSTRAP_API_KEY: KEY, HOME: dataDir }, { npm: true })
    const address = await service.listening()
    return { ...service, address, npm: service.child.pid! }
  }
  const groupIsGone = (leader: number) =>
    expect
      .poll(
        () => {
          try {
            return process.kill(-leader, 0)
          } catch {
            return 'gone'
          }
        },
        { timeout: STOP_MS },
      )
      .toBe('gone')

  test.each([
    ['SIGTERM to npm alone', 'SIGTERM', 1],
    ['SIGINT to npm alone', 'SIGINT', 1],
    ['Ctrl-C, which reaches all of its group', 'SIGINT', -1],
    ['a terminal that is closed', 'SIGHUP', -1],
  ] as const)('by %s: the service stops gracefully', async (_what, signal, whom) => {
    const service = await startNpm()
    process.kill(whom * service.npm, signal)
    await service.printed(/^(aisle: stopping)\n/m)
    await groupIsGone(service.npm)
    expect((await service.exited).stderr).toBe('')
    expect(existsSync(join(dataDir, 'service.lock'))).toBe(false)
  })

  test('by SIGKILL to npm alone: the service stops too', async () => {
    const service = await startNpm()
    process.kill(service.npm, 'SIGKILL')
    await groupIsGone(service.npm)
    expect(existsSync(join(dataDir, 'service.lock'))).toBe(false)
  })
})
