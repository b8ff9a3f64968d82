import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import { MethodNotAllowed } from '../errors.ts'
import { packer } from './compression.ts'
import { answerHeaders } from './revision.ts'

const PIECE_BYTES = 64 * 1024

/** Pictures and fonts are packed already. */
const PACKED_TYPES = /^(text\/|application\/json|image\/svg)/

/** Something that is served as it is, without a version and a key. */
export interface StaticPage {
  readonly type: string
  /** Asked for once, when somebody first wants it. */
  load(): Promise<string | Uint8Array<ArrayBuffer>>
  /** Asked for by each who wants it. */
  readonly changes?: boolean
  /** Where they change, a browser gets the page anew each time: with one that it has it keeps its headers. */
  readonly headers?: PageHeaders | (() => PageHeaders)
}

type PageHeaders = Readonly<Record<string, string>>

/** Serves pages by their path; a browser that has one is told that it is still the same. */
export function serveStaticPages(app: Hono, pages: ReadonlyMap<string, StaticPage>): void {
  for (const [path, page] of pages) {
    const loaded = page.changes ? () => load(page) : once(() => load(page))
    app.get(path, async (c) => {
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
      return c.body(inPieces(body), 200, {
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

/** Pieces of bytes that all readers share, each when its reader took the one before. */
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
  // Weak: the same page, however it is packed.
  const etag = `W/"${hash}"`
  return PACKED_TYPES.test(page.type)
    ? { pack: packer(body), etag }
    : { pack: async () => ({ body, headers: {} }), etag }
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined
  return () => {
    // What could not be read is tried again by the next who asks.
    kept ??= read().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    return kept
  }
}
