import type { MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import { Invalid } from '../errors.ts'
import type { Binding } from '../operation.ts'
import {
  type KnownFields,
  knownFields,
  refuseUnknown,
  suggestionText,
} from '../platform/known-fields.ts'
import { shownName } from '../platform/validation-problem.ts'
import { NOT_ADDRESSED } from './keys-in.ts'

const NONE: KnownFields = { kind: 'object', fields: new Map(), unread: new Set() }

/** Refuses query parameters that the operation does not have. */
export function refuseUnknownParameters({ query, body }: Binding<never, never>): MiddlewareHandler {
  const known = query ? knownFields(query) : NONE
  const inBody = () => (body && body !== 'stream' ? namesOf(knownFields(body)) : [])
  return async (c, next) => {
    const at = c.req.url.indexOf('?')
    if (at >= 0) refuseParameters(known, new URLSearchParams(c.req.url.slice(at + 1)), inBody)
    await next()
  }
}

function refuseParameters(known: KnownFields, sent: URLSearchParams, inBody: () => string[]): void {
  if (known?.kind !== 'object' || known.unread === 'any') return
  const name = [...sent.keys()].find((one) => !known.fields.has(one))
  if (name === undefined) return
  if (name === 'key') throw new Invalid(NOT_ADDRESSED)
  const meant = inBody().includes(name)
    ? 'it is a field of the body'
    : suggestionText(name, [...known.fields.keys()])
  throw new Invalid(`${shownName(name)}: unknown query parameter; ${meant}`)
}

const namesOf = (known: KnownFields): string[] =>
  known?.kind === 'object' ? [...known.fields.keys()] : []

/** Refuses fields of the body that the operation does not have, at any depth. */
export function refuseUnknownFields(schema: z.ZodType): MiddlewareHandler {
  const known = knownFields(schema)
  return async (c, next) => {
    refuseUnknown(known, await c.req.json())
    await next()
  }
}
