import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'

/** The service or the file failed; `message` is one line for the user. */
export class ImportFailure extends Error {}

export interface ServiceConnection {
  readonly url: string
  readonly key: string
  readonly organization: string | undefined
}

/** The fields of a Task that the command shows. */
export interface ImportTask {
  readonly id: string
  readonly status: string
  readonly message: string
  readonly completed: boolean
  readonly success: boolean
  readonly percentCompleted: number
  readonly processed: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  readonly rejectsUrl: string | null
  /** Of a table that was read to its end. */
  readonly columns?: readonly {
    readonly heading: string
    readonly field: string | null
    readonly attribute: string | null
    readonly values: number
  }[]
}

interface ServiceResponse {
  readonly status: number
  readonly body: Record<string, unknown>
}

/**
 * Sends one request to the public interface; returns answers of any status. Throws ImportFailure.
 */
export async function request(
  { url, key, organization }: ServiceConnection,
  line: string,
  body?: { readonly json?: unknown; readonly stream?: ReadableStream<Uint8Array> },
): Promise<ServiceResponse> {
  const [method, path] = line.split(/ (.*)/s) as [string, string]
  const init = {
    method,
    headers: {
      'x-api-version': '6.0',
      authorization: `Bearer ${key}`,
      ...(organization ? { 'x-organization': organization } : {}),
      'content-type': body?.stream ? 'application/octet-stream' : 'application/json',
    },
    ...(body ? { body: body.stream ?? JSON.stringify(body.json), duplex: 'half' as const } : {}),
  }
  const answer = await fetch(`${url}${path}`, init).catch(() => {
    throw new ImportFailure(`No answer from ${url}: is the service running there?`)
  })
  const { status } = answer
  try {
    return { status, body: (await answer.json()) as Record<string, unknown> }
  } catch {
    throw new ImportFailure(
      `${status}: no answer of the service, perhaps one of a proxy before it.`,
    )
  }
}

/** Like `request`, but throws for any status except 200. */
export async function requestOk(
  ...parts: Parameters<typeof request>
): Promise<ServiceResponse['body']> {
  const { status, body } = await request(...parts)
  if (status !== 200) throw new ImportFailure(`${status}: ${String(body.message)}`)
  return body
}

/** Streams a file to the service, reporting every part to `sent`. Returns the file's url. */
export async function upload(
  connection: ServiceConnection,
  file: string,
  sent: (bytes: number, total: number) => void,
): Promise<string> {
  const unreadable = new ImportFailure(`${file} is no file that can be read.`)
  const size = await stat(file).catch(() => undefined)
  if (!size?.isFile()) throw unreadable
  let bytes = 0
  let isRead = true
  const counted = async function* () {
    try {
      for await (const chunk of createReadStream(file)) {
        yield chunk as Uint8Array
        bytes += (chunk as Uint8Array).byteLength
        sent(bytes, size.size)
      }
    } catch (error) {
      isRead = false
      throw error
    }
  }
  const stream = ReadableStream.from(counted())
  const name = encodeURIComponent(basename(file))
  const path = `POST /api/files?name=${name}`
  const body = await requestOk(connection, path, { stream }).catch((error: unknown) => {
    throw isRead ? error : unreadable
  })
  return String(body.url)
}

/** Reads the task now. Throws ImportFailure when it no longer exists. */
export async function readTask(connection: ServiceConnection, id: string): Promise<ImportTask> {
  const { items } = await requestOk(connection, 'GET /api/tasks?includeDismissed=true')
  const task = (items as ImportTask[]).find((item) => item.id === id)
  if (!task) throw new ImportFailure('The task of the import is not listed any more.')
  return task
}
