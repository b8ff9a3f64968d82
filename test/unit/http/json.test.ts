import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toJson } from '../../../src/http/json.ts'

test('produces the same as JSON.stringify', async () => {
  const when = new Date(0)
  const odd = [[], {}, null, 'text', [undefined, when], { a: undefined, b: [undefined], c: when }]
  for (const value of [...odd, when]) expect(await toJson(value)).toBe(JSON.stringify(value))
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      expect(await toJson(value)).toBe(JSON.stringify(value))
    }),
  )
})

/** Nested lists and objects of about a megabyte. */
const branches = (depth: number): object[] =>
  Array.from({ length: 10 }, (_, at) => ({
    name: `${at}`.padEnd(50, 'ü'),
    counts: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`${at} ${n}`, n])),
    children: depth === 0 ? [] : branches(depth - 1),
  }))

test.each([
  ['list', { list: Array.from({ length: 40 }, (_, id) => ({ id, text: 'ü'.repeat(50_000) })) }],
  ['object', { facets: Object.fromEntries(branches(3).map((one, at) => [at, { one }])) }],
  ['tree', { tree: branches(3) }],
])('a long %s is serialized in steps, between which others can run', async (_, value) => {
  let turns = 0
  const turn = () => {
    turns++
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  const bytes = await toJson({ ...value, total: 40 })
  clearImmediate(next)
  expect(turns).toBeGreaterThan(4)
  expect(String(bytes)).toBe(JSON.stringify({ ...value, total: 40 }))
})
