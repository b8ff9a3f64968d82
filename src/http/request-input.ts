import { zValidator } from '@hono/zod-validator'
import type { MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import { Invalid } from '../errors.ts'
import type { Binding } from '../operation.ts'
import { checkText } from '../platform/input-checks.ts'
import {
  type KnownFields,
  knownFields,
  refuseUnknown,
  suggestionText,
} from '../platform/known-fields.ts'
import { parseInSteps } from '../platform/parse-in-steps.ts'
import { parse, problemText, shownName } from '../platform/validation-problem.ts'
import type { RequestKeys } from './request-keys.ts'

const NONE: KnownFields = { kind: 'object', fields: new Map(), unread: new Set() }

/** Checks the parameters of the path and the query. Throws Invalid. */
export function addressChecks(
  { param, query, body }: Binding<never, never>,
  { notAddressed }: Pick<RequestKeys, 'notAddressed'>,
): MiddlewareHandler[] {
  const known = query ? knownFields(query) : NONE
  const inBody = body && body !== 'stream' ? namesOf(knownFields(body)) : []

  /** Refuses query parameters that the operation does not have. */
  function refuseUnknownParameters(url: string): void {
    const at = url.indexOf('?')
    const name = at < 0 ? undefined : unknownIn(known, new URLSearchParams(url.slice(at + 1)))
    if (name === undefined) return
    if (name === 'key') throw new Invalid(notAddressed)
    const meant = inBody.includes(name)
      ? 'it is a field of the body'
      : suggestionText(name, namesOf(known))
    throw new Invalid(`${shownName(name)}: unknown query parameter; ${meant}`)
  }

  const parameters: MiddlewareHandler = async ({ req }, next) => {
    refuseUnknownParameters(req.url)
    if (param) checkTexts(req.param())
    if (query) checkTexts(req.queries())
    await next()
  }
  return [
    parameters,
    ...(param ? [validator('param', param)] : []),
    ...(query ? [validator('query', query)] : []),
  ]
}

/** Bytes up to which a body is parsed at once, which takes a third of the time. */
const SMALL_BYTES = 4 * 1024

/** Checks the JSON of a body. Throws Invalid, also for fields that the operation does not have. */
export function bodyChecks(schema: z.ZodType): MiddlewareHandler[] {
  const known = knownFields(schema)
  const fields: MiddlewareHandler = async ({ req }, next) => {
    refuseUnknown(known, await req.json())
    await next()
  }
  const atOnce = validator('json', schema)
  const inSteps = validator('json', schema, parseInSteps)
  const values: MiddlewareHandler = (c, next) =>
    (c.get('sentBytes').length > SMALL_BYTES ? inSteps : atOnce)(c, next)
  return [fields, values]
}

const unknownIn = (known: KnownFields, sent: URLSearchParams): string | undefined =>
  known?.kind !== 'object' || known.unread === 'any'
    ? undefined
    : [...sent.keys()].find((name) => !known.fields.has(name))

const namesOf = (known: KnownFields): string[] =>
  known?.kind === 'object' ? [...known.fields.keys()] : []

function validator(
  target: 'param' | 'query' | 'json',
  schema: z.ZodType,
  validationFunction: typeof parse | typeof parseInSteps = parse,
): MiddlewareHandler {
  const whole = target === 'json' ? 'body' : 'request'
  const check = zValidator(
    target,
    schema,
    (result) => {
      if (!result.success) throw new Invalid(problemText(result.error as z.ZodError, whole))
    },
    { validationFunction },
  ) as unknown as MiddlewareHandler
  // The validator's return value is not the answer, which is made once all handlers have run.
  return async (c, next) => void (await check(c, next))
}

function checkTexts(values: Readonly<Record<string, string | string[]>>): void {
  for (const [name, value] of Object.entries(values)) {
    for (const text of [value].flat()) checkText(text, shownName(name))
  }
}
