import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { OutboundFailure } from '../../src/platform/outbound/failure.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { startCanary } from '../support/connection-counter.ts'

const outbound = createOutbound({ allow: '127.0.0.1' })
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** Starts a server with this handler; returns how to call it. */
async function answering(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = await startCanary(handle)
  cleanups.push(server.close)
  return { url: `http://127.0.0.1:${server.port}/a?b=c`, timeoutMs: 20_000, maxBytes: 1_000 }
}

/** Like `answering`, for a server that does not speak HTTP. */
async function speaking(handle: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    handle(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, timeoutMs: 20_000, maxBytes: 1_000 }
}

const kindOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(OutboundFailure)
  return (error as OutboundFailure).kind
}

/** Writes a chunk every `everyMs` until the other side closes. */
function drip(response: ServerResponse | Socket, chunk: string | Buffer, everyMs: number) {
  const timer = setInterval(() => response.write(chunk), everyMs)
  response.on('close', () => clearInterval(timer))
  response.on('error', () => clearInterval(timer))
}

const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

/** Collects garbage until the object of `held` is gone. */
async function collected(held: WeakRef<object>): Promise<boolean> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let turns = 0; turns < 20 && held.deref(); turns++) {
    await setImmediate()
    collect()
  }
  return held.deref() === undefined
}

test('what was sent is not kept until the time limit once an answer came', async () => {
  const request = await answering((_, response) => response.end('ok'))
  const send = async () => {
    const body = Buffer.alloc(1024 * 1024, 'x')
    await outbound.call({ ...request, method: 'POST', body })
    return new WeakRef(body)
  }
  expect(await collected(await send())).toBe(true)
})

describe('an answer to an outbound call', () => {
  test('is returned as a whole, with its status and headers', async () => {
    const request = await answering(async (incoming, response) => {
      const body: Buffer[] = []
      for await (const chunk of incoming) body.push(chunk)
      response.writeHead(404, { 'x-name': ['a', 'b'], 'content-type': 'text/plain' })
      response.end(`${incoming.method} ${incoming.url} ${Buffer.concat(body)}`)
    })
    const { status, headers, body } = await outbound.call({
      ...request,
      method: 'POST',
      body: 'ping',
      headers: { 'content-type': 'text/plain' },
    })
    expect(status).toBe(404)
    expect(headers).toMatchObject({ 'x-name': 'a, b', 'content-type': 'text/plain' })
    expect(Buffer.from(body).toString()).toBe('POST /a?b=c ping')
  })

  test('can be requested with user and password', async () => {
    const request = await answering((incoming, response) =>
      response.end(incoming.headers.authorization),
    )
    const basic = { username: 'jürgen', password: 'p:w' }
    const { body } = await outbound.call({ ...request, basic })
    expect(Buffer.from(body).toString()).toBe(
      `Basic ${Buffer.from('jürgen:p:w').toString('base64')}`,
    )
  })

  test('is not decompressed: a bomb stays as small as it was sent', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000))
    const request = await answering((_incoming, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(bomb)
    })
    const { body } = await outbound.call({ ...request, maxBytes: 50_000 })
    expect(body.byteLength).toBe(bomb.byteLength)
  })

  test('is requested uncompressed', async () => {
    const request = await answering((incoming, response) =>
      response.end(incoming.headers['accept-encoding']),
    )
    expect(Buffer.from((await outbound.call(request)).body).toString()).toBe('identity')
  })

  test.each([301, 302, 303, 307, 308])(
    'with %i is a failure and is not followed',
    async (status) => {
      const canary = await startCanary()
      cleanups.push(canary.close)
      const request = await answering((_incoming, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${canary.port}/` }).end()
      })
      expect(await kindOf(outbound.call(request))).toBe('redirect')
      expect(canary.connections()).toBe(0)
    },
  )
})

describe('an answer that is too large', () => {
  test('according to its header is not read', async () => {
    const request = await answering((_incoming, response) => {
      response.writeHead(200, { 'content-length': '10000000000' })
      response.write('x')
    })
    expect(await kindOf(outbound.call(request))).toBe('tooLarge')
  })

  test('because its body does not end is cut off, and the connection closed', async () => {
    let written = 0
    let closed = false
    const request = await answering((_incoming, response) => {
      response.on('close', () => {
        closed = true
      })
      const more = () => {
        while (!closed && response.write(Buffer.alloc(16_384))) written += 16_384
      }
      response.on('drain', more)
      more()
    })
    expect(await kindOf(outbound.call({ ...request, maxBytes: 100_000 }))).toBe('tooLarge')
    await expect.poll(() => closed).toBe(true)
    expect(written).toBeLessThan(20_000_000)
  })

  test('in tiny pieces is cut off, without processing the rest of a read', async () => {
    let closed = false
    const request = await speaking((socket) => {
      const pieces = '1\r\n \r\n'.repeat(10_000)
      socket.on('close', () => {
        closed = true
      })
      const more = () => {
        while (!closed && socket.write(pieces));
      }
      socket.on('drain', more)
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      more()
    })
    let read = 0
    const { body } = await outbound.open({ ...request, maxBytes: 1e9 })
    const all = async () => {
      for await (const piece of body) read += piece.length
    }
    expect(await kindOf(all())).toBe('tinyPieces')
    expect(read).toBeLessThan(1_000)
    await expect.poll(() => closed).toBe(true)
  })

  test.each([
    ['informational responses', '', 'HTTP/1.1 103 A\r\n\r\n'],
    ['an extension of a chunk', `${CHUNKED}1;`, 'a=b;'],
    ['trailers', `${CHUNKED}2\r\n{}\r\n0\r\n`, 'a: b\r\n'],
  ])('with %s without end is cut off', async (_, begin, piece) => {
    let written = 0
    let closed = false
    const request = await speaking((socket) => {
      const pieces = piece.repeat(2_000)
      const more = () => {
        while (!closed && socket.write(pieces)) written += pieces.length
      }
      socket.on('close', () => {
        closed = true
      })
      socket.on('drain', more)
      socket.write(begin)
      more()
    })
    const reading = outbound.call(request)
    const error = await reading.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OutboundFailure)
    await expect.poll(() => closed).toBe(true)
    expect(written).toBeLessThan(20_000_000)
  })

  test('in its headers is refused', async () => {
    const request = await speaking((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write(`x: ${'y'.repeat(4_096)}\r\n`), 1)
      socket.on('close', () => clearInterval(timer))
    })
    expect(await kindOf(outbound.call(request))).toBe('largeHeaders')
  })

  test('in its headers fails late, so that few such answers are read', async () => {
    const request = await speaking((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\n${'a:b\r\n'.repeat(9_000)}`),
    )
    const began = performance.now()
    expect(await kindOf(outbound.call(request))).toBe('largeHeaders')
    expect(performance.now() - began).toBeGreaterThan(limits.restMs - 2)
  })

  test('in its headers is refused even if a body follows at once', async () => {
    const answerWith = (bytes: number) =>
      `HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx: ${'y'.repeat(bytes)}\r\n\r\n{}`
    const small = await speaking((socket) => socket.write(answerWith(15_000)))
    expect((await outbound.call(small)).status).toBe(200)
    const large = await speaking((socket) => socket.write(answerWith(17_000)))
    expect(await kindOf(outbound.call(large))).toBe('largeHeaders')
  })

  test.each([
    [8_000, 'headers', 'largeHeaders', 'HTTP/1.1 200 OK\r\n'],
    [24_000, 'trailers', 'tinyPieces', `${CHUNKED}2\r\n{}\r\n0\r\n`],
  ] as const)(
    'with %i %s that do not end is refused, not kept',
    async (count, _, expected, begin) => {
      const request = await speaking((socket) => socket.write(begin + 'a:b\r\n'.repeat(count)))
      const kind = await kindOf(outbound.call({ ...request, timeoutMs: 60_000 }))
      expect(kind).toBe(expected)
    },
  )

  // An error for each header, as undici creates beyond its own limit, would take 150 ms.
  test.each([
    ['headers', 'HTTP/1.1 200 OK\r\n'],
    ['trailers', `${CHUNKED}2\r\n{}\r\n0\r\n`],
    ['trailers of a large body', `${CHUNKED}61a80\r\n${' '.repeat(400_000)}\r\n0\r\n`],
  ])('with thousands of tiny %s does not occupy the process', async (_, begin) => {
    const bytes = `${begin}x: ${'y'.repeat(530_000)}\r\n${'a:b\r\n'.repeat(80_000)}\r\n`
    const answer = await speaking((socket) => socket.end(bytes))
    const request = { ...answer, maxBytes: 1_000_000 }
    const call = () => outbound.call(request).catch((error: unknown) => error)
    await call()
    const before = performance.eventLoopUtilization()
    for (let calls = 0; calls < 4; calls++) await call()
    expect(performance.eventLoopUtilization(before).active).toBeLessThan(200)
  })
})

describe('an answer that is too slow', () => {
  const limit = 400
  const timed = async (work: Promise<unknown>) => {
    const start = performance.now()
    const kind = await kindOf(work)
    return { kind, late: performance.now() - start > limit * 10 }
  }

  test.each<[string, (socket: Socket) => void]>([
    ['nothing at all', () => undefined],
    [
      'headers by the byte',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx: ')
        drip(socket, 'y', 20)
      },
    ],
    [
      'a body by the byte',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n')
        drip(socket, 'x', 20)
      },
    ],
    [
      'interim answers that follow slowly',
      (socket) => drip(socket, 'HTTP/1.1 103 Early\r\n\r\n', 50),
    ],
  ])('with %s ends at the deadline', async (_name, handle) => {
    const request = await speaking(handle)
    const work = outbound.call({ ...request, timeoutMs: limit })
    expect(await timed(work)).toEqual({ kind: 'late', late: false })
  })

  test('because its body stalls ends after the idle time', async () => {
    const impatient = createOutbound({ allow: '127.0.0.1', times: { idleMs: 200 } })
    const request = await answering((_incoming, response) => void response.write('begin'))
    expect(await timed(impatient.call(request))).toEqual({ kind: 'late', late: false })
  })
})

describe('a missing answer', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['closed', (socket) => socket.destroy()],
    ['not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    ['cut short', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc')],
    [
      'of two lengths',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
    ],
    [
      'another protocol',
      (socket) => socket.end('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
  ])('%s', async (_name, handle) => {
    expect(await kindOf(outbound.call(await speaking(handle)))).toBe('broken')
  })

  test('because the caller aborts throws the caller’s reason', async () => {
    let closed = false
    const request = await answering((_incoming, response) => {
      response.on('close', () => {
        closed = true
      })
    })
    const giving = new AbortController()
    const work = outbound.call({ ...request, signal: giving.signal })
    setTimeout(() => giving.abort(new Error('no longer wanted')), 50)
    await expect(work).rejects.toThrow('no longer wanted')
    await expect.poll(() => closed).toBe(true)
    await expect(outbound.call({ ...request, signal: giving.signal })).rejects.toThrow('no longer')
  })
})

describe('a streamed answer', () => {
  test('arrives as it is sent, and is closed when the caller stops reading', async () => {
    let closed = false
    const request = await answering((_incoming, response) => {
      response.on('close', () => {
        closed = true
      })
      drip(response, 'some', 5)
    })
    const { body } = await outbound.open(request)
    for await (const chunk of body) {
      expect(Buffer.from(chunk).toString()).toMatch(/^(some)+$/)
      break
    }
    await expect.poll(() => closed).toBe(true)
  })

  test('is closed even if reading never started', async () => {
    let closed = false
    const request = await answering((_incoming, response) => {
      response.on('close', () => {
        closed = true
      })
      drip(response, 'some', 5)
    })
    const { body } = await outbound.open({ ...request, timeoutMs: 60_000 })
    await body.return(undefined)
    await expect.poll(() => closed).toBe(true)
    expect(await body.next()).toEqual({ done: true, value: undefined })
  })

  test('ends at its deadline if nobody reads', async () => {
    let closed = false
    const request = await answering((_incoming, response) => {
      response.on('close', () => {
        closed = true
      })
      drip(response, 'some', 5)
    })
    await outbound.open({ ...request, timeoutMs: 300 })
    await expect.poll(() => closed).toBe(true)
  })
})
