import { setImmediate } from 'node:timers/promises'

/** Characters of JSON that are made in one go; then others get their turn. */
const PIECE = 256 * 1024

/**
 * A value as JSON text, as bytes where it is large: the elements of its lists are written one by
 * one, so that a long answer keeps nobody waiting.
 */
export async function toJson(value: unknown): Promise<string | Buffer> {
  const done: Buffer[] = []
  let text = ''
  const write = async (part: string) => {
    text += part
    if (text.length < PIECE) return
    done.push(Buffer.from(text))
    text = ''
    await setImmediate()
  }
  const list = async (elements: readonly unknown[]) => {
    await write('[')
    for (const [at, element] of elements.entries()) {
      const comma = at === 0 ? '' : ','
      await write(comma + (JSON.stringify(element) ?? 'null'))
    }
    await write(']')
  }
  if (Array.isArray(value)) await list(value)
  else if (isPlain(value)) {
    let before = '{'
    for (const [name, one] of Object.entries(value)) {
      const whole = Array.isArray(one) ? '' : JSON.stringify(one)
      if (whole === undefined) continue
      await write(`${before}${JSON.stringify(name)}:${whole}`)
      if (Array.isArray(one)) await list(one)
      before = ','
    }
    await write(before === '{' ? '{}' : '}')
  } else return JSON.stringify(value)
  return done.length === 0 ? text : Buffer.concat([...done, Buffer.from(text)])
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value)
