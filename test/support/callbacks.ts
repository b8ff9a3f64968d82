import { vi } from 'vitest'
import { type Call, expectOk } from './client.ts'
import { BACKGROUND_MS } from './deadlines.ts'
import { startImport } from './imports.ts'

export interface CallbackAnswer {
  readonly id: string
  readonly taskId: string
  readonly url: string
  readonly status: string
  readonly attempts: { time: string; status: number | null; error: string | null }[]
  readonly nextAttempt: string | null
}

/** Queues an import into the catalog `c` with a callback. Returns the task's id. */
export const importCallingBack = (call: Call, callbackUrl: string): Promise<string> =>
  startImport(call, 'id,name\n1,Desk\n', { targetCatalog: 'c', callbackUrl })

export async function callbacksOf(call: Call): Promise<CallbackAnswer[]> {
  return (await expectOk(call('GET /api/callbacks?pageSize=250'))).body.items
}

/** Waits until `is` holds for the callback of a task, and returns the callback. */
export function callbackOf(
  call: Call,
  taskId: string,
  is: (callback: CallbackAnswer) => boolean,
): Promise<CallbackAnswer> {
  return vi.waitFor(
    async () => {
      const callback = (await callbacksOf(call)).find((one) => one.taskId === taskId)
      if (!callback || !is(callback)) throw new Error(JSON.stringify(callback))
      return callback
    },
    { timeout: BACKGROUND_MS, interval: 100 },
  )
}
