import { takeStep } from '../platform/in-steps.ts'
import { roomAfter } from '../platform/json-size.ts'

/** Characters of JSON that are written in a step. */
const PIECE = 256 * 1024
/** Values, as roomAfter counts them, of a part that is written by one call. */
const SMALL = 16_000

/**
 * A value as JSON: text, or bytes if it is large. Large lists and objects are written member by
 * member, so that a long answer does not block other requests.
 */
export async function toJson(value: unknown): Promise<string | Buffer> {
  const done: Buffer[] = []
  let text = ''
  for (const part of partsOf(value)) {
    text += part
    if (text.length < PIECE) continue
    done.push(Buffer.from(text))
    text = ''
    await takeStep()
  }
  return done.length === 0 ? text : Buffer.concat([...done, Buffer.from(text)])
}

/** The text of a value in parts, most of which are short. */
function* partsOf(value: unknown): Generator<string> {
  if (!isContainer(value) || isSmall(value)) return yield JSON.stringify(value)
  let before = ''
  if (Array.isArray(value)) {
    yield '['
    for (const element of value) {
      yield before
      yield* isWritten(element) ? partsOf(element) : ['null']
      before = ','
    }
    return yield ']'
  }
  yield '{'
  for (const [name, member] of Object.entries(value)) {
    if (!isWritten(member)) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* partsOf(member)
    before = ','
  }
  yield '}'
}

const isWritten = (value: unknown): boolean =>
  value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value)

const isSmall = (value: object): boolean => roomAfter(value, SMALL) > 0
