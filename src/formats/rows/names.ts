import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { checkText } from '../../platform/hostile.ts'

/** Why nothing can be called so, if anything. Pure. */
export function nameProblem(name: string): string | undefined {
  // It would change the object that holds the names.
  if (name === '__proto__') return '__proto__ is not allowed as a name'
  if (name.length > limits.nameLength) {
    return `a name is longer than ${limits.nameLength} characters`
  }
  try {
    checkText(name, 'name')
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return error.message
    throw error
  }
}
