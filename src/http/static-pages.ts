import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import { MethodNotAllowed } from '../errors.ts'
import { once } from '../platform/once.ts'
import { packer } from './compression.ts'
import { inTurns, senderOf, type TakeTurn } from './request-turns.ts'
import { answerHeaders } from './revision.ts'

const PIECE_BYTES = 64 * 1024

/** Types that are worth compressing. Pictures and fonts are compressed already. */
const PACKED_TYPES = /^(text\/|application\/json|image\/svg)/

/** A resource that is served without a version or a key. */
export interface StaticPage {
  readonly type: string
  /** Called once, for the first request, unless the page `changes`. */
  load(): Promise<string | Uint8Array<ArrayBuffer>>
  /** Whether `load` is called for every request. */
  readonly changes?: boolean
  /**
   * With a function, a page is sent anew each time: after a 304, a browser keeps the old headers.
   */
  readonly headers?: PageHeaders | (() => PageHeaders)
}

type PageHeaders = Readonly<Record<string, string>>

/** Serves pages by path. A browser that has the current one gets a 304. */
export function serveStaticPages(
  app: Hono,
  pages: ReadonlyMap<string, StaticPage>,
  takeTurn: TakeTurn,
): void {
  for (const [path, page] of pages) {
    const loaded = page.changes ? () => load(page) : once(() => load(page))
    app.get(path, async (c) => {
      await takeTurn(senderOf(c))
      const { pack, etag } = await loaded()
      const isSettled = typeof page.headers !== 'function'
      const own = typeof page.headers === 'function' ? page.headers() : page.headers
      const { body, headers: packing } = await pack(c.req.header('accept-encoding'))
      const headers = {
        ...answerHeaders(undefined, crypto.randomUUID()),
        ...own,
        ...packing,
        'cache-control': 'no-cache',
        etag,
      }
      if (isSettled && c.req.header('if-none-match')?.includes(etag))
        return c.body(null, 304, headers)
      return c.body(inTurns(inPieces(body), takeTurn), 200, {
        ...headers,
        'content-type': page.type,
        'content-length': String(body.byteLength),
      })
    })
    app.all(path, () => {
      throw new MethodNotAllowed(['GET', 'HEAD'])
    })
  }
}

/** Streams bytes that all readers share, each piece once its reader has taken the one before. */
function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream(
    {
      pull(stream) {
        stream.enqueue(bytes.subarray(at, at + PIECE_BYTES))
        at += PIECE_BYTES
        if (at >= bytes.byteLength) stream.close()
      },
    },
    { highWaterMark: 0 },
  )
}

async function load(page: StaticPage) {
  const read = await page.load()
  const body = typeof read === 'string' ? new TextEncoder().encode(read) : read
  const hash = createHash('sha256').update(body).digest('base64url')
  // Weak, since the page is the same in every encoding.
  const etag = `W/"${hash}"`
  return PACKED_TYPES.test(page.type)
    ? { pack: packer(body), etag }
    : { pack: async () => ({ body, headers: {} }), etag }
}
