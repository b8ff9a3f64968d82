import type { CallOptions, Connection } from './connection.ts'
import { AisleError } from './error.ts'
import type { Task } from './generated/api.ts'
import { getTask } from './generated/operations.ts'
import { pause } from './send.ts'

const ASK_EACH = 0.5
/** Questions in a row that may go unanswered: a task goes on whether or not it can be asked. */
const PATIENCE = 100

/** How a task is followed. */
export interface FollowOptions extends CallOptions {
  /** Told of the task now and then. */
  readonly onProgress?: ((task: Task) => void) | undefined
}

/** Waits until a task ends, well or not, or asks (`waiting`), and answers it. Throws AisleError. */
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
