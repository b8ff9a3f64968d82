import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { checkValue } from '../../src/platform/hostile.ts'

const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)])

describe('a hostile value', () => {
  test('is refused with its place', () => {
    expect(() => checkValue({ a: [{ b: '\ud800' }] })).toThrow('body.a[0].b: an unpaired surrogate')
    expect(() => checkValue({ a: 'x\u0000' })).toThrow('body.a: control characters')
    expect(() => checkValue({ 'x\u001fy': 1 })).toThrow('body: control characters')
    expect(() => checkValue(JSON.parse('{"a":{"__proto__":{}}}'))).toThrow('body.a: __proto__')
  })

  test('may nest as deep as the limit and no deeper', () => {
    expect(() => checkValue(nest(limits.jsonDepth))).not.toThrow()
    expect(() => checkValue(nest(limits.jsonDepth + 1))).toThrow('nested deeper than')
  })

  test('is told from plain text of any script', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const plain =
          text.isWellFormed() && !/\p{Cc}/u.test(text.replace(/[\t\n\r\u0080-\u009f]/g, ''))
        if (plain) expect(() => checkValue({ text })).not.toThrow()
        else expect(() => checkValue({ text })).toThrow()
      }),
    )
  })
})
