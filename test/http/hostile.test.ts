import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { checkShape, checkValue, createShapeCheck } from '../../src/platform/input-checks.ts'

const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)])

describe('a hostile value', () => {
  test('is refused with its path', () => {
    expect(() => checkValue({ a: [{ b: '\ud800' }] })).toThrow('body.a[0].b: unpaired surrogates')
    expect(() => checkValue({ a: 'x\u0000' })).toThrow('body.a: control characters')
    expect(() => checkValue({ 'x\u001fy': 1 })).toThrow('body: control characters')
    expect(() => checkValue(JSON.parse('{"a":{"__proto__":{}}}'))).toThrow('body.a: __proto__')
  })

  test('can be nested up to the limit and no deeper', () => {
    expect(() => checkValue(nest(limits.jsonDepth))).not.toThrow()
    expect(() => checkValue(nest(limits.jsonDepth + 1))).toThrow('nested deeper than')
  })

  test('is distinguished from plain text in any script', () => {
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

describe('the shape of JSON', () => {
  const shape = (json: string) => checkShape(new TextEncoder().encode(json))

  test('is refused before parsing if it is nested too deep', () => {
    expect(() => shape(JSON.stringify(nest(limits.jsonDepth)))).not.toThrow()
    expect(() => shape(JSON.stringify(nest(limits.jsonDepth + 1)))).toThrow('nested deeper than')
    expect(() => shape('{"a":'.repeat(limits.jsonDepth + 1))).toThrow('nested deeper than')
    expect(() => shape(`[${'[],'.repeat(1_000)}[]]`)).not.toThrow()
  })

  test('is refused if it has too many values', () => {
    const list = (length: number) => JSON.stringify(Array.from({ length }, () => 1))
    expect(() => shape(list(limits.jsonValues - 1))).not.toThrow()
    expect(() => shape(list(limits.jsonValues + 1))).toThrow('more than 200000 values')
  })

  test('is refused if an object has too many names, but not if several have many', () => {
    const names = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, ['a', 'b']]))
    const most = names(limits.jsonNames)
    expect(() => shape(JSON.stringify([most, { most }, most]))).not.toThrow()
    expect(() => shape(JSON.stringify([{ a: names(limits.jsonNames + 1) }]))).toThrow(
      'body: an object has more than 5000 names',
    )
  })

  test('is not affected by where a long string is cut, and what it escapes there', () => {
    const bytes = (text: string) => new TextEncoder().encode(text)
    const deep = '['.repeat(limits.jsonDepth)
    for (let length = 60; length < 70; length++) {
      for (const end of ['', '\\\\', '\\"', '\\\\\\"', '\\\\\\\\']) {
        const start = `["${'a'.repeat(length)}${end}`
        for (let cut = 0; cut <= start.length; cut++) {
          const inPieces = (text: string) => {
            const check = createShapeCheck()
            check(bytes(text.slice(0, cut)))
            check(bytes(text.slice(cut)))
          }
          expect(() => inPieces(`${start}[${deep}"]`)).not.toThrow()
          expect(() => inPieces(`${start}",${deep}`)).toThrow('nested deeper than')
        }
      }
    }
  })

  test('is not affected by the content of strings', () => {
    const text = '[{,\\"'.repeat(limits.jsonValues / 2)
    expect(() => shape(JSON.stringify({ [text]: [text, text] }))).not.toThrow()
    expect(() => shape(`["\\\\",${'['.repeat(limits.jsonDepth)}`)).toThrow('nested deeper than')
  })

  test('is accepted up to the limit', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (json) => {
        expect(() => shape(json)).not.toThrow()
      }),
    )
  })

  test('is the same if read in pieces', () => {
    const inPieces = (json: string, size: number, most: number): boolean => {
      const bytes = new TextEncoder().encode(json)
      const check = createShapeCheck('body', most)
      try {
        for (let at = 0; at < bytes.length; at += size) check(bytes.subarray(at, at + size))
        return true
      } catch {
        return false
      }
    }
    const texts = fc.array(fc.constantFrom('"', '\\', '[', '}', ',', 'a'), { maxLength: 40 })
    const numbers = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 12 }))
    fc.assert(
      fc.property(texts, numbers, (letters, [size, most]) => {
        const text = letters.join('')
        expect(inPieces(text, size, most)).toBe(inPieces(text, text.length || 1, most))
      }),
    )
    expect(inPieces('["\\"[,",{"a":[1,2]}]', 3, 6)).toBe(true)
    expect(inPieces('["\\"[,",{"a":[1,2]}]', 3, 5)).toBe(false)
  })

  test('takes milliseconds to refuse at the largest size', () => {
    // Time of this thread, which does not depend on other load.
    const before = process.threadCpuUsage()
    for (const part of ['[', '{"":', '[],', '1,', '"",']) {
      const body = `[${part.repeat(limits.bodyBytes / part.length)}`
      expect(() => shape(body)).toThrow()
    }
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(1_000)
  })
})
