import type { z } from 'zod'
import { Invalid } from '../errors.ts'
import { checkShape, checkValue } from '../platform/input-checks.ts'
import { parse, problemText } from '../platform/validation-problem.ts'

/** Parses JSON from outside. Throws Invalid with a message that begins with `name`. */
export function parseJson(bytes: Uint8Array, name: string): unknown {
  checkShape(bytes, name)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Invalid(`${name}: not valid JSON`)
  }
  checkValue(value, name)
  return value
}

/** Parses a value with a schema. Throws Invalid like `dataOf`. */
export const parseAs = <S extends z.ZodType>(schema: S, value: unknown, name: string) =>
  dataOf(parse(schema, value), name)

/** The data of a parsed value. Throws Invalid with the first path that does not match. */
export function dataOf<T>({ data, error }: z.ZodSafeParseResult<T>, name: string): T {
  if (!error) return data
  throw new Invalid(problemText(error, name, { always: true }).slice(0, LONGEST))
}

const LONGEST = 300
