import type { Attack } from './attack.ts'
import { answersUnder, clients } from './clients.ts'
import { importText, taskOf, timeOf } from './long-imports.attack.ts'

/** Rows that take most of a second of computing each, because each takes a long value anew. */
const VARIATIONS = 60
const HEAD = 1_000_000
const EURO = '€'

const head = (sku: string): string => `variable,${sku},Name,1,"${'ab,'.repeat(HEAD / 3)}${sku}",\n`
const variation = (at: number): string => `variation,k${at},,1,,${at % 2 ? 'A' : 'B'}\n`

const FILES = [
  {
    name: 'categories.csv',
    text: `Type,SKU,Name,Regular price,Categories,Parent\n${head('A')}${head('B')}${Array.from({ length: VARIATIONS }, (_, at) => variation(at)).join('')}`,
  },
  { name: 'totals.csv', text: `id,name\n${`Total,${'a,'.repeat(HEAD / 2)}\n`.repeat(10)}` },
  { name: 'cells.csv', text: `id,name\n${`A,"${'","'.repeat(HEAD / 3)}"\n`.repeat(10)}` },
  {
    name: 'html.csv',
    text: `id,description\n${`A,<p>${`a${EURO} `.repeat(HEAD / 6)}\n`.repeat(10)}`,
  },
]

export const attack: Attack = {
  name: 'slow rows',
  what: `files of some rows that take up to a second each are imported, and previewed by 2 clients`,
  async prepare(target) {
    const tenant = await target.tenant()
    const previewed = FILES[0]!
    const form = new URLSearchParams({ name: previewed.name })
    const upload = await fetch(`${target.address}/api/files?${form}`, {
      method: 'POST',
      headers: { ...tenant.headers, 'content-type': 'application/octet-stream' },
      body: previewed.text,
    })
    const { url } = (await upload.json()) as { url: string }
    return async (signal) => {
      const told: string[] = []
      const imports = async () => {
        for (const file of FILES) {
          if (signal.aborted) return
          const id = await importText(target, tenant, file)
          const ms = await timeOf(tenant, id, signal)
          const status = (await taskOf(tenant, id))?.status ?? 'unknown'
          told.push(`${file.name} ${status} after ${Math.round(ms)} ms`)
        }
      }
      const body = { catalog: 'shop', additionalData: { fileUrl: url } }
      const preview = () => tenant.call('POST', '/api/extensions/available/file/validate', body)
      const [answers] = await Promise.all([answersUnder(clients(2, preview), signal), imports()])
      return `${told.join(', ')}; previews: ${answers}`
    }
  },
}
