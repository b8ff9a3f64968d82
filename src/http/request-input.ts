import type { Context as HonoContext } from 'hono'
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
import { problemText, shownName } from '../platform/validation-problem.ts'
import type { RequestKeys } from './request-keys.ts'

const NONE: KnownFields = { kind: 'object', fields: new Map(), unread: new Set() }

/** Reads what the path and the query say, checked. What is read throws Invalid. */
export function addressReader(
  { param, query, body }: Binding<never, never>,
  { notAddressed }: Pick<RequestKeys, 'notAddressed'>,
): (c: HonoContext) => object {
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

  return ({ req }) => {
    refuseUnknownParameters(req.url)
    return {
      ...(param ? checked(param, texts(req.param()), 'request') : {}),
      ...(query ? checked(query, single(texts(req.queries())), 'request') : {}),
    }
  }
}

/** Checks the JSON of a body. Throws Invalid, also for fields that the operation does not have. */
export function bodyChecker(schema: z.ZodType): (sent: unknown) => object {
  const known = knownFields(schema)
  return (sent) => {
    refuseUnknown(known, sent)
    return checked(schema, sent, 'body')
  }
}

const unknownIn = (known: KnownFields, sent: URLSearchParams): string | undefined =>
  known?.kind !== 'object' || known.unread === 'any'
    ? undefined
    : [...sent.keys()].find((name) => !known.fields.has(name))

const namesOf = (known: KnownFields): string[] =>
  known?.kind === 'object' ? [...known.fields.keys()] : []

function checked(schema: z.ZodType, value: unknown, whole: string): object {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data as object
  throw new Invalid(problemText(error, whole))
}

type Texts = Readonly<Record<string, string | string[]>>

function texts<T extends Texts>(values: T): T {
  for (const [name, value] of Object.entries(values)) {
    for (const text of [value].flat()) checkText(text, shownName(name))
  }
  return values
}

/** A parameter that is there once is a text, another one a list. */
const single = (values: Readonly<Record<string, string[]>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, list]) => [name, list.length === 1 ? list[0] : list]),
  )
