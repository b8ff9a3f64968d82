import type { Context as HonoContext } from 'hono'
import type { Credentials } from '../authentication.ts'
import { Forbidden, Invalid, Unauthenticated } from '../errors.ts'
import {
  type Caller,
  type CallerContext,
  type KeyGroup,
  type Operation,
  ROLES,
  type Role,
} from '../operation.ts'
import { parseUrl } from '../platform/parse-url.ts'
import type { RequestKeys } from './request-keys.ts'

/** Credential and organization headers. Throws Invalid, Unauthenticated. */
export function credentialsOf(c: HonoContext, keys: RequestKeys): Credentials {
  const [secret, another] = keys.all(c.req.raw)
  if (keys.isMisaddressed(c.req.raw)) throw new Unauthenticated(keys.notAddressed)
  if (another !== undefined) {
    throw new Invalid(
      'authorization, x-api-key and the parameter key contain different keys. Send one key.',
    )
  }
  return {
    secret,
    page: pageOf(c),
    organization: c.req.header('x-organization')?.trim() || undefined,
    suborganization: c.req.header('x-suborganization')?.trim() || undefined,
  }
}

/** The origin of the calling page. For a GET, pages of the same origin send only a Referer. */
function pageOf(c: HonoContext): string | undefined {
  const origin = c.req.header('origin')
  return origin ?? parseUrl(c.req.header('referer') ?? '')?.origin
}

/** Throws Forbidden for a key in an address, where others may read it, unless it is a public one. */
export function checkAddressedKey(
  { keyType }: Pick<Caller, 'keyType'>,
  addressed: string | undefined,
): void {
  if (addressed === undefined || keyType === 'search') return
  throw new Forbidden('A key in a URL must be of type search. Send other keys in a header.')
}

/** Throws Forbidden when the operation is not for this caller. */
export function checkAccess(operation: Operation, caller: Caller): void {
  const groups: KeyGroup[] = caller.session ? [caller.keyType, 'session'] : [caller.keyType]
  if (caller.keyType !== 'full' && !groups.some((group) => operation.keys.includes(group))) {
    throw new Forbidden(`A key of type ${caller.keyType} cannot call ${operation.name}.`)
  }
  const needed = operation.access
  if (needed === 'caller' || needed === 'public') return
  const least: Role = needed === 'operatorOnly' ? 'operator' : needed
  if (ROLES.indexOf(caller.role) < ROLES.indexOf(least)) {
    throw new Forbidden(`${operation.name} requires the role ${least}.`)
  }
}

/** Like checkAccess, but also notifies the operation of a refused caller. */
export function checkCaller(operation: Operation, ctx: CallerContext): void {
  try {
    checkAccess(operation, ctx.caller)
  } catch (error) {
    operation.refused?.(ctx)
    throw error
  }
}
