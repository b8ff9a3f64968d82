import type { z } from 'zod'
import { Invalid } from '../errors.ts'
import { checkShape, checkValue } from '../platform/input-checks.ts'
import { parseWith } from '../platform/validation-problem.ts'

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

/** How problems of values from outside are worded. */
export const EXTERNAL = { always: true, longest: 300 }

/** Parses a value with a schema. Throws Invalid with the first path that does not match. */
export const parseAs = <S extends z.ZodType>(schema: S, value: unknown, name: string) =>
  parseWith(schema, value, name, EXTERNAL)
