import type { Connection } from './connection.ts'
import { AisleError } from './error.ts'
import type { Product } from './generated/api.ts'
import { readFile, runExtension } from './generated/operations.ts'
import { cutOff } from './send.ts'
import { type FollowOptions, followTask } from './tasks.ts'
import type { Input } from './types.ts'

/** What to export, and in which format. */
export interface ExportRequest {
  /** The default catalog if absent. */
  readonly catalog?: string | undefined
  /** `jsonl`, `csv` or an installed extension that creates files; `jsonl` if absent. */
  readonly extension?: string | undefined
  /** Exports only the products that this search finds. */
  readonly search?: Omit<Input<'search'>, 'catalog'> | undefined
  /** Values of the extension's fields, such as `columns` of `csv`. */
  readonly fields?: Readonly<Record<string, string>> | undefined
}

/**
 * Exports a catalog, waits for its task and returns the file, whose body is not read yet.
 * Throws AisleError, also if the task fails.
 */
export async function exportFile(
  connection: Connection,
  { catalog, extension = 'jsonl', search, fields = {} }: ExportRequest = {},
  { onProgress, ...options }: FollowOptions = {},
): Promise<Response> {
  const run = await runExtension(
    connection,
    {
      id: extension,
      ...(catalog === undefined ? {} : { catalog }),
      additionalFields: { ...fields, ...(search ? { search: JSON.stringify(search) } : {}) },
    },
    options,
  )
  if (!run.success || !run.redirectUrl) {
    throw new AisleError(200, run.error ?? run.message ?? 'This export produces no file.')
  }
  if (run.taskId) {
    const task = await followTask(connection, run.taskId, { ...options, onProgress })
    if (!task.success) throw new AisleError(200, task.message)
  }
  // The url begins with the service's public address, which need not be that of this connection.
  const id = decodeURIComponent(run.redirectUrl.slice(run.redirectUrl.lastIndexOf('/') + 1))
  return readFile(connection, { id }, options)
}

/**
 * Iterates over the products of a catalog, or over all that a search finds in it, without a limit.
 */
export async function* exportProducts(
  connection: Connection,
  request: Omit<ExportRequest, 'extension' | 'fields'> = {},
  options: FollowOptions = {},
): AsyncGenerator<Product, void, undefined> {
  const file = await exportFile(connection, request, options)
  for await (const line of linesOf(file, options.signal)) yield parseProduct(line)
}

/** The service writes valid JSON, so a line that cannot be parsed was cut off. */
function parseProduct(line: string): Product {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw cutOff(cause)
  }
}

/** The bytes of a file as they arrive. Throws AisleError if the file is cut off. */
export async function* bytesOf(
  { body }: Response,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body!.getReader()
  const next = () =>
    reader.read().catch((cause: unknown) => {
      throw signal?.aborted ? cause : cutOff(cause)
    })
  try {
    for (let part = await next(); !part.done; part = await next()) yield part.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function* linesOf(
  file: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  // A line may arrive in many pieces, which are joined once.
  let pieces: string[] = []
  for await (const bytes of bytesOf(file, signal)) {
    const [head = '', ...rest] = decoder.decode(bytes, { stream: true }).split('\n')
    pieces.push(head)
    for (const next of rest) {
      const line = pieces.join('')
      pieces = [next]
      if (line !== '') yield line
    }
  }
  const last = pieces.join('')
  if (last !== '') yield last
}
