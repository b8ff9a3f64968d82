import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, Target, Tenant } from './attack.ts'

/** Uploads a text and queues its import into `shop`; returns the task's id. */
export async function importText(
  { address }: Pick<Target, 'address'>,
  tenant: Tenant,
  { name, text, catalog = 'shop' }: { name: string; text: string; catalog?: string },
): Promise<string> {
  const headers = { ...tenant.headers, 'content-type': 'application/octet-stream' }
  const upload = await fetch(`${address}/api/files?name=${name}`, {
    method: 'POST',
    headers,
    body: text,
  })
  const { url } = (await upload.json()) as { url: string }
  const request = { fileUrl: url, targetCatalog: catalog }
  const answer = await tenant.call('POST', '/api/extensions/import/import', request)
  return ((await answer.json()) as { taskId: string }).taskId
}

/** The present state of an import's task in Get Tasks. */
export async function taskOf(tenant: Tenant, id: string) {
  const answer = await tenant.call('GET', '/api/tasks')
  const { items } = (await answer.json()) as {
    items: { id: string; completed: boolean; status: string; message: string }[]
  }
  return items.find((task) => task.id === id)
}

/** Milliseconds until an import has ended, or `signal` aborts. */
export async function timeOf(tenant: Tenant, id: string, signal: AbortSignal): Promise<number> {
  const began = performance.now()
  while (!signal.aborted && !(await taskOf(tenant, id))?.completed) await sleep(50)
  return performance.now() - began
}

const ROWS = 150_000
const CATALOGS = ['shop', 'second', 'third', 'fourth']

export const attack: Attack = {
  name: 'long imports',
  what: `four imports of ${ROWS} rows each by one tenant, beside which another imports ten rows`,
  async prepare(target) {
    const [attacker, other] = await Promise.all([target.tenant(), target.tenant()])
    const rows = Array.from({ length: ROWS }, (_, at) => `L-${at},Product ${at},${at % 900}.50,V`)
    const text = ['id,name,cost,vendor', ...rows].join('\n')
    for (const name of CATALOGS.slice(1)) await attacker.call('POST', '/api/Catalog', { name })
    return async (signal) => {
      for (const catalog of CATALOGS) {
        await importText(target, attacker, { name: 'long.csv', text, catalog })
      }
      await sleep(2_000)
      const waits: number[] = []
      while (!signal.aborted) {
        const small = `id,name\n${Array.from({ length: 10 }, (_, at) => `S-${at},Small ${at}`).join('\n')}`
        const id = await importText(target, other, { name: 'small.csv', text: small })
        waits.push(await timeOf(other, id, signal))
      }
      const longest = Math.round(Math.max(...waits))
      return `${waits.length} small imports of another tenant, the longest took ${longest} ms`
    }
  },
}
