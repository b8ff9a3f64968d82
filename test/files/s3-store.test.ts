import { randomBytes } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StartupFailure, Unavailable } from '../../src/errors.ts'
import { limits } from '../../src/limits.ts'
import { openFileStore } from '../../src/platform/open-file-store.ts'
import { createS3Store, uploadsIn } from '../../src/platform/s3-store.ts'
import { withProductionDeadlines } from '../support/deadlines.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { freePort, type S3Server, startS3Server } from '../support/s3-server.ts'
import { fileStoreContract, mebibytes, pieces, textOf } from './contract.ts'

let server: S3Server
let proxy: FaultProxy
beforeAll(async () => {
  server = await startS3Server()
  proxy = await startFaultProxy(server.endpoint)
})
afterAll(async () => {
  await proxy?.close()
  await server?.stop()
})

describe('a bucket', () => {
  const prefix = 'aisle/test'
  const place = () => ({ ...server, prefix })

  fileStoreContract(() => ({
    open: () => createS3Store(place()),
    async contents() {
      const { keys, uploads } = await server.leftovers(`${prefix}/`)
      return [
        ...keys.filter((key) => !key.endsWith('.id')),
        ...uploadsIn(uploads).map(({ key }) => key),
      ]
    },
  }))

  test('is separate from the storage under another prefix', async () => {
    const other = createS3Store({ ...server, prefix: 'elsewhere' })
    expect(await other.id()).not.toBe(await createS3Store(place()).id())
    await createS3Store(place()).write('here', pieces('x'), 1)
    expect(await other.read('here')).toBeUndefined()
  })
})

describe('a store in trouble', () => {
  const broken = () => createS3Store({ ...server, prefix: 'faults', endpoint: proxy.node })
  const sound = () => createS3Store({ ...server, prefix: 'faults' })
  const fresh = () => `f-${randomBytes(8).toString('hex')}`

  /** Applies a fault to the first `times` requests. */
  function faulty(fault: Parameters<FaultProxy['set']>[0], times: number, only = /./) {
    let left = times
    proxy.set(fault, (line) => only.test(line) && left-- > 0)
  }

  test.each(['refuse', 'busy', 'down', 'dropAnswer'] as const)(
    'is retried after a temporary failure (%s)',
    async (fault) => {
      const name = fresh()
      faulty(fault, 2)
      expect(await broken().write(name, pieces('small'), 10)).toEqual({ bytes: 5 })
      faulty(fault, 2)
      expect(await textOf(broken(), name)).toBe('small')
      faulty(fault, 2)
      await broken().remove(name)
      expect(await sound().read(name)).toBeUndefined()
    },
  )

  test.each([/partNumber=2/, /POST .*uploadId=/])(
    'joins each part once if the answer to %s is lost',
    async (line) => {
      const name = fresh()
      faulty('dropAnswer', 1, line)
      const written = await broken().write(name, mebibytes(20), 1e9)
      expect(proxy.requests().filter((one) => line.test(one))).toHaveLength(2)
      expect(written).toEqual({ bytes: 20 * 1024 * 1024 })
      const text = await textOf(sound(), name)
      expect([text!.length, text!.at(-1)]).toEqual([written.bytes, '\x13'])
    },
  )

  test('that stays down is soon reported unavailable, and keeps nothing of an upload', async () => {
    for (const fault of ['refuse', 'down', 'hang'] as const) {
      const started = performance.now()
      proxy.set(fault)
      const use = () =>
        Promise.all([
          expect(broken().read('any')).rejects.toThrow(Unavailable),
          expect(broken().remove('any')).rejects.toThrow(Unavailable),
        ])
      await (fault === 'hang' ? withProductionDeadlines(use) : use())
      expect(performance.now() - started).toBeLessThan(2 * limits.requestMs)
    }
    const name = fresh()
    proxy.set('down', (line) => /partNumber=3/.test(line))
    await expect(broken().write(name, mebibytes(20), 1e9)).rejects.toThrow(Unavailable)
    expect(uploadsIn((await server.leftovers(`faults/${name}`)).uploads)).toEqual([])
    expect(await sound().read(name)).toBeUndefined()
  })

  test('that fails while a file is read is asked for the remainder', async () => {
    const name = fresh()
    await sound().write(name, mebibytes(20), 1e9)
    const wire = await startWire(server.endpoint)
    const through = createS3Store({ ...server, prefix: 'faults', endpoint: wire.node })
    const reader = (await through.read(name))!.body.getReader()
    let text = ''
    for (let cuts = 0; ; ) {
      const { done, value } = await reader.read()
      if (done) break
      text += Buffer.from(value).toString('latin1')
      if (cuts < 2 && text.length > (cuts + 1) * 3e6) {
        wire.cut()
        cuts++
      }
    }
    wire.close()
    expect(text).toBe(await textOf(sound(), name))
  })

  test('is never mistaken for a missing file', async () => {
    const lost = createS3Store({ ...server, bucket: 'no-such-bucket' })
    await expect(lost.read('any')).rejects.toThrow(Unavailable)
    await expect(lost.write('any', pieces('x'), 1)).rejects.toThrow(Unavailable)
    await expect(lost.remove('any')).rejects.toThrow(Unavailable)
    const stranger = createS3Store({ ...server, secretAccessKey: 'another' })
    await expect(stranger.read('any')).rejects.toThrow(Unavailable)
    await expect(stranger.write('any', pieces('x'), 1)).rejects.toThrow(Unavailable)
  })
})

/** A TCP proxy whose connections can be cut. */
async function startWire(target: string) {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(new URL(target).port), '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const close = () => {
    cut()
    server.close()
  }
  return { node: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut, close }
}

describe('FILES_URL', () => {
  const open = (change: Record<string, string | undefined> = {}, bucket = server.bucket) =>
    openFileStore({
      url: `s3://${bucket}/opened?endpoint=${encodeURIComponent(server.endpoint)}`,
      accessKeyId: server.accessKeyId,
      secretAccessKey: server.secretAccessKey,
      folder: 'unused',
      ...change,
    })

  test('opens the store that it names', async () => {
    const store = await open()
    await store.write('mine', pieces('x'), 1)
    expect((await server.leftovers('opened/')).keys).toEqual(['opened/.id', 'opened/mine'])
  })

  test('reports at start why a store cannot be used', async () => {
    const away = `s3://files?endpoint=http://127.0.0.1:${await freePort()}`
    const cases: [() => Promise<unknown>, RegExp][] = [
      [() => open({}, 'no-such-bucket'), /no-such-bucket at .*\(NoSuchBucket\): check FILES_URL/],
      [() => open({ secretAccessKey: 'another' }), /\(SignatureDoesNotMatch\)/],
      [() => open({ accessKeyId: undefined }), /set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
      [() => open({ url: away }), /cannot be used \(.*ECONNREFUSED/],
    ]
    for (const [opening, words] of cases) {
      const error = await opening().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(StartupFailure)
      expect((error as Error).message).toMatch(words)
      expect((error as Error).message).not.toContain('another')
    }
  })
})
