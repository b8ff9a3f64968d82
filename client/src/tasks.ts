import type { CallOptions, Connection } from './connection.ts'
import { AisleError } from './error.ts'
import type { Task } from './generated/api.ts'
import { getTask } from './generated/operations.ts'
import { pause } from './send.ts'

const ASK_EACH = 0.5
/** Number of failed requests in a row that are tolerated: the task itself continues meanwhile. */
const PATIENCE = 100

/** How a task is followed. */
export interface FollowOptions extends CallOptions {
  /** Called with the task after each request for its progress. */
  readonly onProgress?: ((task: Task) => void) | undefined
}

/** Waits until a task ends, successfully or not, or waits for a confirmation. Throws AisleError. */
export async function followTask(
  connection: Connection,
  taskId: string,
  { onProgress, ...options }: FollowOptions = {},
): Promise<Task> {
  for (let failures = 0; ; ) {
    const read = await getTask(connection, { id: taskId }, options).catch((error: unknown) => {
      failures += 1
      if (failures > PATIENCE || !mayPass(error)) throw error
    })
    if (read) {
      failures = 0
      onProgress?.(read)
      if (read.completed || read.status === 'waiting') return read
    }
    await pause(ASK_EACH, options.signal)
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof AisleError && (error.status === 0 || error.status === 429 || error.status >= 500)
