import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import { MethodNotAllowed } from '../errors.ts'
import { answerHeaders } from './revision.ts'

const PIECE_BYTES = 64 * 1024

/** Something that is served as it is, without a version and a key. */
export interface StaticPage {
  readonly type: string
  /** Asked for once, when somebody first wants it. */
  load(): Promise<string | Uint8Array<ArrayBuffer>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Serves pages by their path; a browser that has one is told that it is still the same. */
export function serveStaticPages(app: Hono, pages: ReadonlyMap<string, StaticPage>): void {
  for (const [path, page] of pages) {
    const kept = once(page)
    app.get(path, async (c) => {
      const { body, etag } = await kept()
      const headers = {
        ...answerHeaders(undefined, crypto.randomUUID()),
        ...page.headers,
        'cache-control': 'no-cache',
        etag,
      }
      if (c.req.header('if-none-match')?.includes(etag)) return c.body(null, 304, headers)
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

function once(page: StaticPage) {
  let loaded: Promise<{ body: Uint8Array<ArrayBuffer>; etag: string }> | undefined
  const load = async () => {
    const read = await page.load()
    const body = typeof read === 'string' ? new TextEncoder().encode(read) : read
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` }
  }
  return () => {
    // What could not be read is tried again by the next who asks.
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
