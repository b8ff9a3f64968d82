import { Invalid } from '../errors.ts'
import type { Problem } from './contract.ts'

/** What `check` refuses of the values of an extension: its text begins with the field. */
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
