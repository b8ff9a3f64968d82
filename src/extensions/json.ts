import type { z } from 'zod'
import { Invalid } from '../errors.ts'
import { checkValue, createShapeCheck } from '../platform/input-checks.ts'
import { parsingJson } from '../platform/parse-json-in-steps.ts'
import { atOnce, type Steps } from '../platform/steps.ts'
import { parseWith } from '../platform/validation-problem.ts'

/** Parses JSON from outside. Throws Invalid with a message that begins with `name`. */
export function parseJson(bytes: Uint8Array, name: string): unknown {
  const value = atOnce(parsingUnchecked(bytes, name))
  checkValue(value, name)
  return value
}

/** Bytes whose shape is checked in a step. */
const CHECKED = 256 * 1024

/**
 * Like `parseJson`, in steps, for a caller who checks the part that is used with `checkValue`.
 */
export function* parsingUnchecked(bytes: Uint8Array, name: string): Steps<unknown> {
  const check = createShapeCheck(name)
  for (let at = 0; at < bytes.length; at += CHECKED) {
    check(bytes.subarray(at, at + CHECKED))
    yield
  }
  try {
    return yield* parsingJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Invalid(`${name}: not valid JSON`)
  }
}

/** How problems of values from outside are worded. */
export const EXTERNAL = { always: true, longest: 300 }

/** Parses a value with a schema. Throws Invalid with the first path that does not match. */
export const parseAs = <S extends z.ZodType>(schema: S, value: unknown, name: string) =>
  parseWith(schema, value, name, EXTERNAL)
