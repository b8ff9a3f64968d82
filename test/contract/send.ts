import { expect } from 'vitest'
import { z } from 'zod'
import type { Operation } from '../../src/operation.ts'
import { ActionResponse } from '../../src/shapes.ts'
import { type Answer, type CallParts, caller } from '../support/client.ts'
import type { Sending, Sent } from './contract.ts'
import type { Case } from './contracts.ts'
import type { Identity, World } from './world.ts'

/** The weakest identity that may call the operation. */
export function weakest({ access }: Operation): Identity {
  if (access === 'public') return 'none'
  if (access === 'operatorOnly') return 'operator'
  return access === 'caller' ? 'viewer' : access
}

/** Creates what the request needs in the world, for this identity. */
export const prepare = async (sending: Sending, world: World, identity: Identity): Promise<Sent> =>
  typeof sending === 'function' ? sending(world.as(identity)) : sending

/** Method and address, such as `POST /api/search?catalog=tools`. */
function lineOf({ binding }: Pick<Case, 'binding'>, { path = [], query = {} }: Sent) {
  const values = [...path]
  const filled = binding.path.replace(/:\w+/g, () => encodeURIComponent(values.shift()!))
  const text = new URLSearchParams(query).toString()
  return `${binding.method} ${filled}${text === '' ? '' : `?${text}`}`
}

/** Sends a request of a contract in the organization of `world`. */
export async function send(
  which: Case,
  sent: Sent,
  { world, ...parts }: { world: World; identity?: Identity } & CallParts,
): Promise<Answer> {
  const { identity = sent.as ?? weakest(which.operation), ...replaced } = parts
  // An identity that is given here replaces the contract's own key.
  const own = parts.identity === undefined ? sent.key : undefined
  const call = caller(world.service, {
    key: own ?? (await world.keyOf(identity)) ?? null,
    organization: own ? (sent.organization ?? null) : world.organization.id,
    version: which.revision === 'any' ? null : which.revision,
  })
  return call(lineOf(which, sent), {
    ...(sent.body === undefined ? {} : { body: sent.body }),
    ...(sent.headers ? { headers: { ...sent.headers } } : {}),
    ...replaced,
  })
}

/** Asserts the status and the body of a failure. */
export function failed({ operation }: Case, answer: Answer, status: number): void {
  expect([answer.status, answer.body]).toEqual([status, answer.body])
  const isText = operation.failure === 'text' && status === 404
  const body = (isText ? z.string() : ActionResponse).parse(answer.body)
  if (typeof body !== 'string') expect(body.success).toBe(false)
  const { headers } = answer
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  if (status === 401) expect(headers.get('www-authenticate')).toBe('Bearer')
  if (status === 429 || status === 503) expect(headers.get('retry-after')).toMatch(/^\d+$/)
}
