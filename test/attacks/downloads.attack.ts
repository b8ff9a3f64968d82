import type { Attack } from './attack.ts'
import { answersUnder, clients } from './clients.ts'

const BYTES = 10 * 1024 * 1024
const CLIENTS = 48

export const attack: Attack = {
  name: 'downloads',
  what: `a file of ${BYTES / 1024 ** 2} MiB is downloaded by ${CLIENTS} clients as fast as it comes`,
  async prepare(target) {
    const tenant = await target.tenant()
    const upload = await fetch(`${target.address}/api/files?name=large.csv`, {
      method: 'POST',
      headers: { ...tenant.headers, 'content-type': 'application/octet-stream' },
      body: Buffer.alloc(BYTES, 'id,name\n'),
    })
    const { url } = (await upload.json()) as { url: string }
    const download = () => tenant.call('GET', new URL(url).pathname)
    return (signal) => answersUnder(clients(CLIENTS, download), signal)
  },
}
