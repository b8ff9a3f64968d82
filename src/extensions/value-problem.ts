import { Invalid } from '../errors.ts'
import type { Problem } from './contract.ts'

/** Runs `check` and returns the problem that it throws; its text begins with the field. */
export async function problemsOf(check: () => unknown): Promise<Problem[]> {
  try {
    await check()
    return []
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const [, name = '', message = error.message] =
      /^(\w+)(?:[.[][^:]*)?: (.*)$/s.exec(error.message) ?? []
    return [{ field: `additionalData.${name}`, message }]
  }
}
