import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'

/**
 * Throws Invalid if the input of a task is too large. To list tasks, Elasticsearch loads up to
 * `limits.listedTasks` whole documents, inputs included.
 */
export function checkTaskInput(input: unknown): void {
  if (Buffer.byteLength(JSON.stringify(input)) <= limits.taskInputBytes) return
  throw new Invalid(
    `The input of the task (mappings, criteria, products, changes and field values) is larger than ${limits.taskInputBytes} bytes as JSON. Send less.`,
  )
}
