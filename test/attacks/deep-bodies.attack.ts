import { limits } from '../../src/limits.ts'
import type { Attack, Target } from './attack.ts'

const AT_ONCE = 40
const SHAPES: Readonly<Record<string, (bytes: number) => string>> = {
  deep: (bytes) => '['.repeat(bytes),
  wide: (bytes) => `[${'[],'.repeat(bytes / 3 - 1)}[]]`,
  many: (bytes) => `{"company":[${'1,'.repeat(bytes / 2 - 10)}1]}`,
}

async function send({ address }: Target, body: string, signal: AbortSignal): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-api-version': '6.0' }
  const url = `${address}/api/KeyAuth/punchout/setup/json`
  const answer = await fetch(url, { method: 'POST', headers, body, signal }).catch(() => undefined)
  await answer?.arrayBuffer().catch(() => undefined)
  return answer?.status ?? 0
}

export const attack: Attack = {
  name: 'deep-bodies',
  what: `${AT_ONCE} bodies without a key at once, deep, wide or of many values, as large as those with a key may be and as those without`,
  prepare: async (target) => {
    const sizes = [limits.bodyBytes, limits.openBodyBytes]
    const bodies = sizes.flatMap((size) => Object.values(SHAPES).map((shape) => shape(size)))
    return async (signal) => {
      const counts = new Map<number, number>()
      const work = async (_: unknown, at: number) => {
        for (let i = at; !signal.aborted; i++) {
          const status = await send(target, bodies[i % bodies.length]!, signal)
          counts.set(status, (counts.get(status) ?? 0) + 1)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      const told = [...counts].sort().map(([status, count]) => `${count} times ${status || 'cut'}`)
      return told.join(', ')
    }
  },
}
