import type { Attack } from './attack.ts'
import { importText, timeOf } from './long-imports.attack.ts'

const ROWS = 12
/** A character of three bytes that expands to eighteen letters. */
const SIGN = '\ufdfa'

/** A row close to the largest that a file may have. */
function rowAt(at: number): string {
  const values = Array.from({ length: 900 }, (_, n) => [`a${n}`, SIGN.repeat(330)])
  return JSON.stringify({ id: `S-${at}`, attributes: Object.fromEntries(values) })
}

export const attack: Attack = {
  name: 'spelled out',
  what: `imports of ${ROWS} rows of 1 MB in signs that stand for many letters`,
  async prepare(target) {
    const tenant = await target.tenant()
    const text = Array.from({ length: ROWS }, (_, at) => rowAt(at)).join('\n')
    return async (signal) => {
      let imports = 0
      for (; !signal.aborted; imports++) {
        const id = await importText(target, tenant, { name: 'signs.jsonl', text })
        await timeOf(tenant, id, signal)
      }
      return `${imports} imports`
    }
  },
}
