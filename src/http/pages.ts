import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import { MethodNotAllowed } from '../errors.ts'
import { answerHeaders } from './revision.ts'

/** Something that is served as it is, without a version and a key. */
export interface Page {
  readonly type: string
  /** Asked for once, when somebody first wants it. */
  load(): Promise<string | Uint8Array<ArrayBuffer>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Serves pages by their path; a browser that has one is told that it is still the same. */
export function servePages(app: Hono, pages: ReadonlyMap<string, Page>): void {
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
      return c.body(body, 200, { ...headers, 'content-type': page.type })
    })
    app.all(path, () => {
      throw new MethodNotAllowed(['GET', 'HEAD'])
    })
  }
}

function once(page: Page) {
  let loaded: Promise<{ body: string | Uint8Array<ArrayBuffer>; etag: string }> | undefined
  const load = async () => {
    const body = await page.load()
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
