import { vi } from 'vitest'
import { type Call, expectOk } from './client.ts'
import { startImport } from './imports.ts'

export interface CallbackAnswer {
  readonly id: string
  readonly taskId: string
  readonly url: string
  readonly status: string
  readonly attempts: { time: string; status: number | null; error: string | null }[]
  readonly nextAttempt: string | null
}

/** Queues an import into the catalog `c` that calls back. Answers the task's id. */
export const importCallingBack = (call: Call, callbackUrl: string): Promise<string> =>
  startImport(call, 'id,name\n1,Desk\n', { targetCatalog: 'c', callbackUrl })

export async function callbacksOf(call: Call): Promise<CallbackAnswer[]> {
  return (await expectOk(call('GET /api/callbacks?pageSize=250'))).body.items
}

/** The callback of a task once `is` holds of it. */
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
    { timeout: 30_000, interval: 30 },
  )
}
