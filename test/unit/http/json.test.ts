import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toJson } from '../../../src/http/json.ts'

test('is what JSON.stringify makes of it', async () => {
  const when = new Date(0)
  const odd = [[], {}, null, 'text', [undefined, when], { a: undefined, b: [undefined], c: when }]
  for (const value of [...odd, when]) expect(await toJson(value)).toBe(JSON.stringify(value))
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      expect(await toJson(value)).toBe(JSON.stringify(value))
    }),
  )
})

test('a long list is made in pieces between which others get their turn', async () => {
  const products = Array.from({ length: 40 }, (_, id) => ({ id, text: 'ü'.repeat(50_000) }))
  let turns = 0
  const turn = () => {
    turns++
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  const bytes = await toJson({ products, total: 40 })
  clearImmediate(next)
  expect(turns).toBeGreaterThan(4)
  expect(String(bytes)).toBe(JSON.stringify({ products, total: 40 }))
})
