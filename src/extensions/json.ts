import type { z } from 'zod'
import { Invalid } from '../errors.ts'
import { checkShape, checkValue } from '../platform/input-checks.ts'
import { parseWith } from '../platform/validation-problem.ts'

/** Parses JSON from outside. Throws Invalid with a message that begins with `name`. */
export function parseJson(bytes: Uint8Array, name: string): unknown {
  const value = uncheckedJson(bytes, name)
  checkValue(value, name)
  return value
}

/** Like `parseJson`, for a caller who checks the part that is used with `checkValue`. */
export function uncheckedJson(bytes: Uint8Array, name: string): unknown {
  checkShape(bytes, name)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Invalid(`${name}: not valid JSON`)
  }
}

/** How problems of values from outside are worded. */
export const EXTERNAL = { always: true, longest: 300 }

/** Parses a value with a schema. Throws Invalid with the first path that does not match. */
export const parseAs = <S extends z.ZodType>(schema: S, value: unknown, name: string) =>
  parseWith(schema, value, name, EXTERNAL)
