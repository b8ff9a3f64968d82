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
import type { RequestKeys } from './request-keys.ts'

const NONE: KnownFields = { kind: 'object', fields: new Map(), unread: new Set() }

/** Refuses query parameters that the operation does not have. */
export function refuseUnknownParameters(
  { query, body }: Binding<never, never>,
  { notAddressed }: Pick<RequestKeys, 'notAddressed'>,
): MiddlewareHandler {
  const known = query ? knownFields(query) : NONE
  return async (c, next) => {
    const at = c.req.url.indexOf('?')
    const name = at < 0 ? undefined : unknownIn(known, new URLSearchParams(c.req.url.slice(at + 1)))
    if (name === 'key') throw new Invalid(notAddressed)
    if (name !== undefined) {
      const isInBody = body && body !== 'stream' && namesOf(knownFields(body)).includes(name)
      const meant = isInBody ? 'it is a field of the body' : suggestionText(name, namesOf(known))
      throw new Invalid(`${shownName(name)}: unknown query parameter; ${meant}`)
    }
    await next()
  }
}

const unknownIn = (known: KnownFields, sent: URLSearchParams): string | undefined =>
  known?.kind !== 'object' || known.unread === 'any'
    ? undefined
    : [...sent.keys()].find((name) => !known.fields.has(name))

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
