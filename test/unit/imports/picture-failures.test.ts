import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { PictureFailure } from '../../../src/imports/pictures/download.ts'
import { createFetching } from '../../../src/imports/pictures/fetching.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('a failure that a task remembers does not keep the bytes of the picture', async () => {
  const bodies: WeakRef<ArrayBufferLike>[] = []
  const { signal } = new AbortController()
  const fetching = createFetching(
    {
      organization: { id: 'a', parent: null },
      requestId: 'task',
      outbound: {
        check: () => undefined,
        call: async () => {
          const body = new Uint8Array(1_000_000)
          bodies.push(new WeakRef(body.buffer))
          return { status: 200, headers: {}, body }
        },
      },
    } as unknown as Parameters<typeof createFetching>[0],
    'task',
  )
  const options = { signal, withSlot: <T>(work: () => Promise<T>) => work() }
  const fetched = async () => {
    for (let at = 0; at < 10; at++) {
      const failure = await fetching(`http://a.example/${at}`, undefined, options)
      expect(failure).toEqual(new PictureFailure('must be a PNG, JPEG, GIF or WebP picture'))
    }
  }
  await fetched()
  await setImmediate()
  collectGarbage()
  expect(bodies.length).toBe(10)
  // The last one may still be on the stack.
  expect(bodies.filter((body) => body.deref()).length).toBeLessThan(3)
  expect(await fetching('http://a.example/0', undefined, options)).toBeInstanceOf(PictureFailure)
})
