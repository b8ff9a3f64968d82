import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inSteps } from '../../../src/platform/in-steps.ts'
import { parsingJson } from '../../../src/platform/parse-json-in-steps.ts'
import { atOnce } from '../../../src/platform/steps.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'
import { oddObjects } from '../../support/odd-objects.ts'

/** The value as JSON, or that the text is malformed. */
function outcome(parse: () => unknown): string {
  try {
    return JSON.stringify(parse())
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return 'malformed'
  }
}

const expectSame = (text: string, piece: number) =>
  expect(
    outcome(() => atOnce(parsingJson(text, piece))),
    text,
  ).toBe(outcome(() => JSON.parse(text)))

const piece = fc.integer({ min: 1, max: 12 })
const value = fc.jsonValue({ noUnicodeString: false, maxDepth: 4 })

describe('JSON in steps', () => {
  test('is what JSON.parse returns', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1), piece, (one, indent, size) => {
        expectSame(JSON.stringify(one, null, indent), size)
      }),
      { numRuns: 2_000 },
    )
  })

  test('is malformed where JSON.parse says so, after any change of a character', () => {
    const change = fc.tuple(fc.nat(), fc.constantFrom(...'[]{},:"\\ 1nu-', ''), fc.boolean())
    fc.assert(
      fc.property(value, change, piece, (one, [place, by, replaces], size) => {
        const text = JSON.stringify(one)
        const at = place % (text.length + 1)
        expectSame(text.slice(0, at) + by + text.slice(at + (replaces ? 1 : 0)), size)
      }),
      { numRuns: 5_000 },
    )
  })

  test.each([
    '{"__proto__":[1,2],"a":{"__proto__":{"b":1}},"__proto__":3}',
    '{"a":[1,2,3],"b":1,"a":[4],"1":[5],"0":6}',
    '["\\\\\\"]",["\\"",{"\\u0022]":"["}],[[],{}]]',
    `["${'a\\\\\\"]é'.repeat(60)}",["]"],"${'\\\\'.repeat(99)}"]`,
    '{"a":1[2]}',
    '{"a":[1][2]}',
    '[[1] 2,3]',
    '[[1]]]',
    '[[1]] []',
    '[1,,[2]]',
    '[[1],]',
    '{"a":{"b":[1}]}',
    '{,"a":[1]}',
    'x[1,2,3]',
    '{"a"[1]}',
    '{[1]}',
    '"text"',
    ']',
    '',
  ])('reads %s as JSON.parse does', (text) => {
    for (let size = 1; size < 20; size++) expectSame(text, size)
  })

  test('takes a few milliseconds in a step, whatever names and shapes the values have', () => {
    const text = `{"all":${oddObjects()}}`
    const steps = parsingJson(text)
    let count = 0
    while (!steps.next().done) count++
    expect(count).toBe(Math.floor(text.length / (16 * 1024)))
  })

  test('a bracket after a long value is malformed, without reading that again', async () => {
    const text = `{"all":${oddObjects()}[${' '.repeat(20_000)}`
    const work = () => expect(inSteps(parsingJson(text))).rejects.toThrow(SyntaxError)
    await expectStepsBelow(50, work)
  })
})
