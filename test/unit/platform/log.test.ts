import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Unavailable } from '../../../src/errors.ts'
import { limits } from '../../../src/limits.ts'
import { createLog, logFailure } from '../../../src/platform/log.ts'
import { createRepeatFilter, kindOf } from '../../../src/platform/log-repeats.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const lines: Record<string, unknown>[] = []
const log = () => createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) })
afterEach(() => {
  lines.length = 0
})
const told = () =>
  lines.map(({ msg, name, requestId, repeated }) => [msg, name ?? requestId, repeated])

describe('a throttled log', () => {
  test('writes equal failures once immediately, and then once a minute with their number', () => {
    const { error } = bound(log())
    for (const requestId of ['r1', 'r2', 'r3']) {
      error({ err: failure('no disk'), requestId, operation: 'Search' }, 'request failed')
    }
    expect(told()).toEqual([['request failed', 'r1', undefined]])
    vi.advanceTimersByTime(limits.logRepeatMs)
    expect(told().slice(1)).toEqual([['request failed', 'r3', 2]])
    error({ err: failure('no disk'), requestId: 'r4', operation: 'Search' }, 'request failed')
    vi.advanceTimersByTime(limits.logRepeatMs)
    expect(told().slice(2)).toEqual([['request failed', 'r4', 1]])
    vi.advanceTimersByTime(limits.logRepeatMs)
    error({ err: failure('no disk'), requestId: 'r5', operation: 'Search' }, 'request failed')
    expect(told().slice(3)).toEqual([['request failed', 'r5', undefined]])
  })

  test('has the message, stack and causes of an error, but nothing else of it', () => {
    const { error } = bound(log())
    const meta = { body: Buffer.alloc(10_000_000), request: {} }
    const cause = Object.assign(new Error('too large'), {
      name: 'ResponseError',
      statusCode: 413,
      meta,
    })
    error({ err: new Error('not stored', { cause }) }, 'task failed')
    expect(lines[0]!.err).toEqual({
      ...{ type: 'Error', message: 'not stored', stack: expect.stringContaining('log.test.ts') },
      cause: {
        ...{ type: 'ResponseError', message: 'too large', statusCode: 413 },
        stack: expect.stringContaining('log.test.ts'),
      },
    })
  })

  test('distinguishes operations, errors and causes', () => {
    const { error } = bound(log())
    const cause = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    error({ err: failure('a'), operation: 'Search' }, 'request failed')
    error({ err: failure('a'), operation: 'Get Product' }, 'request failed')
    error({ err: new TypeError('b'), operation: 'Search' }, 'request failed')
    error({ err: failure('a', cause), operation: 'Search' }, 'request failed')
    error({ err: failure('of another text'), operation: 'Search' }, 'request failed')
    expect(lines).toHaveLength(4)
  })

  test('counts failures of background work in an outage by its name', () => {
    const mine = log()
    for (let n = 0; n < 500; n++) {
      logFailure(mine, 'sweep', new Unavailable('No answer.'))
      logFailure(mine, 'look for tasks', new Unavailable('No answer.'))
    }
    expect(told()).toEqual([
      ['No answer.', 'sweep', undefined],
      ['No answer.', 'look for tasks', undefined],
    ])
    mine.end()
    expect(told().slice(2)).toEqual([
      ['No answer.', 'sweep', 499],
      ['No answer.', 'look for tasks', 499],
    ])
    mine.end()
    expect(lines).toHaveLength(4)
  })
})

test('treats kinds above the limit as one', () => {
  const written: string[] = []
  const repeats = createRepeatFilter({ everyMs: 1_000, kinds: 2 })
  const say = (kind: string) => {
    const write = ({ repeated }: { repeated: number }) => void written.push(`${kind} ${repeated}`)
    if (repeats.isFirst(kind, write)) written.push(kind)
  }
  for (const kind of ['a', 'b', 'c', 'd', 'e', 'a']) say(kind)
  expect(written).toEqual(['a', 'b', 'c'])
  repeats.flush()
  expect(written.slice(3)).toEqual(['a 1', 'e 2'])
})

test('does not use values that differ between requests to tell failures apart', () => {
  const of = (requestId: string) => kindOf('m', { requestId, name: 'n', err: failure(requestId) })
  expect(of('a')).toBe(of('b'))
})

/** A failure that is always thrown at the same place. */
function failure(message: string, cause?: Error): Error {
  return new Unavailable(message, { cause })
}

const bound = (of: ReturnType<typeof createLog>) => ({ error: of.error.bind(of) })
