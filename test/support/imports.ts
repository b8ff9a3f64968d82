import { vi } from 'vitest'
import { type Call, expectOk, type TestOrganization } from './client.ts'
import { BACKGROUND_MS } from './deadlines.ts'

export interface TaskAnswer {
  readonly id: string
  readonly status: string
  readonly message: string
  readonly processed: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  readonly removed: number
  readonly rejectsUrl: string | null
  readonly fileUrl: string | null
  readonly percentCompleted: number
}

type Content = string | Uint8Array
/** Fields of the request; `name` is the name of the file. */
export type Settings = Record<string, unknown> & { name?: string }

/** Uploads a file and returns its url. */
export async function upload(call: Call, content: Content, name = 'data.csv'): Promise<string> {
  const path = `POST /api/files?name=${encodeURIComponent(name)}`
  const headers = { 'content-type': 'application/octet-stream' }
  const answer = await expectOk(call(path, { body: content, headers }))
  return answer.body.url
}

/** Uploads a file and queues its import. Returns the task's id. */
export async function startImport(
  call: Call,
  content: Content,
  { name = 'data.csv', ...settings }: Settings = {},
): Promise<string> {
  const body = { fileUrl: await upload(call, content, name), ...settings }
  const answer = await expectOk(call('POST /api/extensions/import/import', { body }))
  return answer.body.taskId
}

export async function taskOf(call: Call, id: string): Promise<TaskAnswer> {
  const { body } = await expectOk(call('GET /api/tasks?includeDismissed=true'))
  return body.items.find((task: TaskAnswer) => task.id === id)
}

/** Waits until a task has ended, and returns it. */
export async function taskEnded(call: Call, id: string): Promise<TaskAnswer> {
  const over = ['completed', 'failed', 'cancelled']
  return vi.waitFor(
    async () => {
      const task = await taskOf(call, id)
      if (!over.includes(task.status)) throw new Error(`${task.status}: ${task.message}`)
      return task
    },
    { timeout: BACKGROUND_MS, interval: 150 },
  )
}

/** Waits until a task asks for a confirmation, and returns it. */
export const taskWaiting = (call: Call, id: string): Promise<TaskAnswer> =>
  vi.waitFor(
    async () => {
      const task = await taskOf(call, id)
      if (task.status !== 'waiting') throw new Error(`${task.status}: ${task.message}`)
      return task
    },
    { timeout: BACKGROUND_MS, interval: 100 },
  )

/** Imports a file into the catalog `c` and waits until it has ended. */
export async function importFile(
  call: Call,
  content: Content,
  settings: Settings = {},
): Promise<TaskAnswer> {
  return taskEnded(call, await startImport(call, content, { targetCatalog: 'c', ...settings }))
}

export const counts = ({ processed, created, updated, unchanged, rejected }: TaskAnswer) => ({
  processed,
  created,
  updated,
  unchanged,
  rejected,
})

/** The list of rejected rows, as text. */
export async function rejectsOf(call: Call, task: TaskAnswer): Promise<string> {
  const path = task.rejectsUrl!.replace('http://localhost:3000', '')
  return (await expectOk(call(`GET ${path}`))).body
}

export async function product(call: Call, id: string, catalog = 'c') {
  const answer = await call(`GET /api/Catalog/${catalog}/products/${encodeURIComponent(id)}`)
  return answer.body
}

/** Creates a catalog in the organization. */
export const newCatalog = ({ call }: Pick<TestOrganization, 'call'>, name = 'c') =>
  expectOk(call('POST /api/Catalog', { body: { name } }))

/** The only product of the catalog `c`. */
export async function onlyProduct(call: Call) {
  const { body } = await expectOk(call('POST /api/search?catalog=c', { body: {} }))
  if (body.products.length !== 1) throw new Error(`${body.products.length} products`)
  return product(call, body.products[0].id)
}
