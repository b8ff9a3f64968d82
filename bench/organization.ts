import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../src/limits.ts'
import type { Format } from './catalog/lines.ts'
import { connect, jsonOf, type Reply, type Target, type Wire } from './http.ts'
import { OPERATOR_KEY } from './service.ts'

export const CATALOG = 'bench'
const TYPE = 'application/json'
const POLL_MS = 100

/** An organization of the running service with one catalog, called as its administrator. */
export interface Organization {
  readonly headers: Readonly<Record<string, string>>
  readonly target: Target
  /** Prepares a request that is sent often. */
  wire(method: string, path: string, body?: unknown): Wire
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Uploads a file; returns its url. */
  upload(file: string): Promise<string>
  /** Imports an uploaded file, jsonl by default, and waits until it is completed. */
  import(url: string, format?: Format): Promise<ImportFigures>
  /** Rows that the latest task has processed so far. */
  rowsProcessed(): Promise<number>
  close(): Promise<void>
}

interface ImportFigures {
  readonly seconds: number
  readonly created: number
  readonly rejected: number
}

/** Opens organization `id` of a service, and creates it with its catalog unless `exists`. */
export async function openOrganization(
  origin: string,
  id: string,
  { exists = false, connections = 16 } = {},
): Promise<Organization> {
  const target = connect(origin, { connections })
  const wireAs =
    (key: string, organization?: string) => (method: string, path: string, body?: unknown) =>
      ({
        method,
        path,
        headers: {
          'x-api-version': '6.0',
          authorization: `Bearer ${key}`,
          ...(organization === undefined ? {} : { 'x-organization': organization }),
          ...(body === undefined ? {} : { 'content-type': TYPE }),
        },
        ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
      }) satisfies Wire
  const send = async <T>(wire: Wire): Promise<T> => {
    const reply: Reply = await target.send(wire)
    return jsonOf<T>(reply, `${wire.method} ${wire.path}`)
  }
  const users = [{ username: 'bench', role: 'administrator' }]
  if (!exists) {
    await send(wireAs(OPERATOR_KEY)('POST', '/api/organizations', { id, name: id, users }))
  }
  const asOperator = wireAs(OPERATOR_KEY, id)
  const { key } = await send<{ key: string }>(
    asOperator('POST', '/api/KeyAuth/keys', { name: 'bench', keyType: 'full', username: 'bench' }),
  )
  const wire = wireAs(key, id)
  const call = <T>(method: string, path: string, body?: unknown) =>
    send<T>(wire(method, path, body))
  if (!exists) await call('POST', '/api/Catalog', { name: CATALOG, active: true })
  return {
    headers: wire('GET', '/').headers,
    target,
    wire,
    call,
    upload: (file) => upload(`${origin}/api/files?name=products`, wire('GET', '/').headers, file),
    import: (fileUrl, format = 'jsonl') => importFile(call, fileUrl, format),
    rowsProcessed: async () => (await tasksOf(call))[0]?.processed ?? 0,
    close: () => target.close(),
  }
}

async function upload(url: string, headers: Wire['headers'], file: string): Promise<string> {
  const { size } = await stat(file)
  const sent = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/octet-stream', 'content-length': size },
  })
  const answered = new Promise<string>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString('utf8')
      if (answer.statusCode === 200) resolve(JSON.parse(text).url)
      else reject(new Error(`Upload: ${answer.statusCode} ${text}`))
    })
  })
  createReadStream(file, { highWaterMark: 256 * 1024 }).pipe(sent)
  return answered
}

interface Task {
  readonly id: string
  readonly status: string
  readonly message: string
  readonly processed?: number
  readonly created?: number
  readonly rejected?: number
}

type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** The latest first. */
const tasksOf = async (call: Call): Promise<Task[]> =>
  (await call<{ items: Task[] }>('GET', '/api/tasks?fetchUpdates=true')).items

async function importFile(call: Call, fileUrl: string, fileType: Format): Promise<ImportFigures> {
  const started = performance.now()
  const { taskId } = await call<{ taskId: string }>('POST', '/api/extensions/import/import', {
    targetCatalog: CATALOG,
    fileUrl,
    fileType,
  })
  while (true) {
    const task = (await tasksOf(call)).find(({ id }) => id === taskId)
    const seconds = (performance.now() - started) / 1_000
    if (task?.status === 'completed') {
      return { seconds, created: task.created ?? 0, rejected: task.rejected ?? 0 }
    }
    if (task?.status === 'failed' || task?.status === 'cancelled') {
      throw new Error(`The import ended as ${task.status}: ${task.message}`)
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/**
 * Creates an organization and waits until that no longer counts as work of another one, to which the
 * service gives way.
 */
export async function openOrganizationAlone(origin: string, id: string): Promise<Organization> {
  const organization = await openOrganization(origin, id)
  await sleep(limits.sharingMs)
  return organization
}
