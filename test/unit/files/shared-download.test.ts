import { expect, test } from 'vitest'
import { sharedDownload } from '../../../src/files/shared-download.ts'

const organization = {
  ...{ id: 'one', name: 'One', parent: null },
  ...{ defaultCatalog: null, catalogLimit: null, credits: null },
}
const requests = (isShared: boolean) => ({ isShared: () => isShared }) as never

/** A body of 20 chunks that notes how many were read, and whether it was cancelled. */
function body(seen: { chunks: number; isCancelled: boolean }) {
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (++seen.chunks > 20) controller.close()
        else controller.enqueue(Buffer.from([seen.chunks]))
      },
      cancel() {
        seen.isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
}

test.each([false, true])('a download is unchanged (shared: %s)', async (isShared) => {
  const seen = { chunks: 0, isCancelled: false }
  const shared = sharedDownload({ requests: requests(isShared), organization }, body(seen))
  const bytes = Buffer.from(await new Response(shared).arrayBuffer())
  expect([...bytes]).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
})

test('organizations get chunks in turn, however many downloads one has', async () => {
  const read = async (id: string, times: number) => {
    const own = { ...organization, id }
    const all = Array.from({ length: times }, () =>
      new Response(
        sharedDownload(
          { requests: requests(true), organization: own },
          body({ chunks: 0, isCancelled: false }),
        ),
      ).arrayBuffer(),
    )
    await Promise.all(all)
    return performance.now()
  }
  const [many, one] = await Promise.all([read('many', 20), read('other', 1)])
  expect(one).toBeLessThan(many)
})

test('a download that is not read further is cancelled', async () => {
  const seen = { chunks: 0, isCancelled: false }
  const reader = sharedDownload({ requests: requests(true), organization }, body(seen)).getReader()
  await reader.read()
  await reader.cancel()
  expect(seen).toEqual({ chunks: 1, isCancelled: true })
})
