import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answer, type Call, expectOk } from './client.ts'
import { type TaskAnswer, taskEnded } from './imports.ts'

export interface RunBody {
  readonly products?: readonly { id: string; catalog?: string }[]
  readonly workspace?: string
  readonly additionalFields?: Readonly<Record<string, unknown>>
}

/** Runs an export extension. */
export const runExport = (
  call: Call,
  id: string,
  { catalog, ...body }: RunBody & { catalog?: string } = {},
): Promise<Answer> =>
  call(`POST /api/extensions/export/${id}/run${catalog ? `?catalog=${catalog}` : ''}`, { body })

/** Fetches the bytes behind a url that the service returned. */
export const fileAt = (call: Call, url: string): Promise<Answer> =>
  call(`GET ${url.replace('http://localhost:3000', '')}`)

export interface Exported {
  readonly task: TaskAnswer
  readonly text: string
}

/** Exports a catalog to a file, and waits until it is done. */
export async function exportCatalog(
  call: Call,
  id: string,
  body: RunBody & { catalog?: string },
): Promise<Exported> {
  const { body: run } = await expectOk(runExport(call, id, body))
  const task = await taskEnded(call, run.taskId)
  const file = await fileAt(call, run.redirectUrl)
  return { task, text: file.status === 200 ? file.body : '' }
}

/** Parses the products in a file of JSON lines. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
export const linesOf = (text: string): any[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

export interface Delivered {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  readonly body: any
}

export interface Receiver {
  readonly url: string
  /** Pages that were received, in order. */
  readonly delivered: readonly Delivered[]
  close(): Promise<void>
}

export interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** An HTTP server that receives pages; `reply` answers each, or never if it returns undefined. */
export async function startReceiver(
  reply: (
    page: Delivered,
    index: number,
  ) => Reply | undefined | Promise<Reply | undefined> = () => ({}),
): Promise<Receiver> {
  const delivered: Delivered[] = []
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const page = { headers: incoming.headers, text, body: JSON.parse(text) }
    delivered.push(page)
    const answer = await reply(page, delivered.length - 1)
    if (!answer) return
    outgoing.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pages`,
    delivered,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
