import type { Context as HonoContext } from 'hono'
import { Forbidden, Invalid } from '../errors.ts'
import {
  type Caller,
  type Credentials,
  type KeyGroup,
  type Operation,
  ROLES,
  type Role,
} from '../operation.ts'

/** Credential and organization headers. Throws Invalid. */
export function credentialsOf(c: HonoContext): Credentials {
  const bearer = c.req.header('authorization')?.match(/^Bearer\s+(\S+)\s*$/i)?.[1]
  const direct = c.req.header('x-api-key')?.trim()
  if (bearer && direct && bearer !== direct) {
    throw new Invalid('authorization and x-api-key name two keys.')
  }
  return {
    secret: bearer ?? (direct || undefined),
    organization: c.req.header('x-organization')?.trim() || undefined,
    suborganization: c.req.header('x-suborganization')?.trim() || undefined,
  }
}

/** Throws Forbidden when the operation is not for this caller. */
export function allow(operation: Operation, caller: Caller): void {
  const groups: KeyGroup[] = caller.session ? [caller.keyType, 'session'] : [caller.keyType]
  if (caller.keyType !== 'full' && !groups.some((group) => operation.keys.includes(group))) {
    throw new Forbidden(`A key of type ${caller.keyType} may not call ${operation.name}.`)
  }
  const needed = operation.access
  if (needed === 'caller' || needed === 'public') return
  const least: Role = needed === 'operatorOnly' ? 'operator' : needed
  if (ROLES.indexOf(caller.role) < ROLES.indexOf(least)) {
    throw new Forbidden(`${operation.name} needs the role ${least}.`)
  }
}
