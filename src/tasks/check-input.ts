import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'

/**
 * Whoever lists tasks has Elasticsearch read whole ones, up to `limits.listedTasks` of them. Throws
 * Invalid if this input is too large for that.
 */
export function checkTaskInput(input: unknown): void {
  if (Buffer.byteLength(JSON.stringify(input)) <= limits.taskInputBytes) return
  throw new Invalid(
    `What a task has to know (mappings, criteria, products, changes, values of fields) takes more than ${limits.taskInputBytes} bytes as JSON. Send less.`,
  )
}
