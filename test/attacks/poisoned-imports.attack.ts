import type { Attack } from './attack.ts'
import { importText, taskOf, timeOf } from './long-imports.attack.ts'

const LONG = 60_000
const run = (text: string): string => text.repeat(LONG / text.length)

/**
 * A heading, an amount and a list on which backtracking regular expressions take quadratic time.
 */
const TEXTS = [
  `x${run(' ')}x`,
  run('('),
  run('['),
  `1${run('0')}x`,
  `€${run(' ')}EUR`,
  run('1,000'),
  `facet:${run(' ')}x`,
  run('a='),
  run('UNSPSC'),
  run('"'),
  `a${run('\u0301\u0327')}`,
]

const FILES = TEXTS.flatMap((text) => [
  { name: 'cells.csv', text: `id,cost,vendor,upcs\nA,${text},V,${text}` },
  { name: 'headings.csv', text: `id,name,${text}\nA,B,C` },
  {
    name: 'fields.cif',
    text: `CIF_I_V3.0\nFIELDNAMES: Supplier Part ID,Unit Price,Classification Codes,Parametric Data\nDATA\nA,${text},${text},{${text}}\nENDOFDATA`,
  },
])

export const attack: Attack = {
  name: 'poisoned imports',
  what: `small files whose texts repeat a sign ${LONG} times are imported and looked at`,
  async prepare(target) {
    const tenant = await target.tenant()
    return async (signal) => {
      const told = new Map<string, number>()
      let longest = 0
      for (const file of FILES) {
        if (signal.aborted) break
        const id = await importText(target, tenant, file)
        longest = Math.max(longest, await timeOf(tenant, id, signal))
        const status = (await taskOf(tenant, id))?.status ?? 'unknown'
        told.set(status, (told.get(status) ?? 0) + 1)
      }
      const list = [...told].map(([status, count]) => `${count} ${status}`).join(', ')
      return `${list}; the longest took ${Math.round(longest)} ms`
    }
  },
}
