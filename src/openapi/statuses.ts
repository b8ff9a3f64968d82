import { type FailureCode, STATUS } from '../errors.ts'
import { ALIVE_PATH } from '../http/address-rate-limit.ts'
import type { Binding, Operation } from '../operation.ts'

/** All statuses besides 200 that an operation may answer, ascending. */
export function failureStatuses(operation: Operation, binding: Binding<never, never>): number[] {
  const codes: FailureCode[] = [...implied(operation, binding), ...operation.fails]
  return [...new Set(codes.map((code) => STATUS[code]))].sort((a, b) => a - b)
}

function implied({ access, bindings }: Operation, binding: Binding<never, never>): FailureCode[] {
  const codes: FailureCode[] = []
  // The version may be missing, and validated input may be invalid.
  if (!bindings.any || binding.param || binding.query || binding.body) codes.push('invalid')
  if (access !== 'public') codes.push('unauthenticated', 'forbidden', 'notFound', 'unavailable')
  if (binding.path !== ALIVE_PATH) codes.push('tooManyRequests')
  if (binding.param) codes.push('notFound', 'unavailable')
  if (binding.body) codes.push('tooLarge')
  if (binding.body && binding.body !== 'stream') codes.push('unsupportedMediaType')
  return codes
}
