import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseInSteps, parsePaced } from '../../../src/platform/parse-in-steps.ts'

const busy = (ms: number) => {
  for (const began = performance.now(); performance.now() - began < ms; );
}
const Entry = z.object({ name: z.string().max(3) })
const Slow = Entry.refine(() => {
  busy(2)
  return true
})
const entries = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at}` }))

describe('a large value is parsed', () => {
  test.each([
    ['a list', Slow.array(), (list: unknown) => list],
    ['a field', z.object({ list: Slow.array().default([]) }), (list: unknown) => ({ list })],
    [
      'an inner field',
      z.object({ parts: z.object({ list: Slow.array().nullish() }).prefault({}) }),
      (list: unknown) => ({ parts: { list } }),
    ],
    [
      'a list that tolerates wrong entries',
      z.object({ list: Slow.catch({ name: '' }).array() }),
      (list: unknown) => ({ list }),
    ],
  ])('in steps: %s', async (_, schema, around) => {
    const value = around(entries(50))
    let isOver = false
    const parsing = parseInSteps(schema, value).finally(() => {
      isOver = true
    })
    let others = 0
    for (; !isOver; others++) await setImmediate()
    expect((await parsing).data).toEqual(value)
    expect(others).toBeGreaterThan(5)
  })

  test('with pauses between the steps', async () => {
    const Short = Entry.refine(() => {
      busy(0.2)
      return true
    })
    const began = performance.now()
    expect((await parsePaced(Short.array(), entries(200))).data).toHaveLength(200)
    expect(performance.now() - began).toBeGreaterThan(60)
  })

  test('beside another, without waiting for all of its entries', async () => {
    const schema = Slow.array()
    const order: number[] = []
    const parse = async (count: number) => {
      await parseInSteps(schema, entries(count))
      order.push(count)
    }
    await Promise.all([parse(50), parse(3)])
    expect(order).toEqual([3, 50])
  })

  test('beside others in as many turns of the event loop', async () => {
    let isOver = false
    let turn = 0
    const parsesIn: Set<string>[] = []
    const Noted = Entry.refine(({ name }) => {
      parsesIn[turn] = (parsesIn[turn] ?? new Set()).add(name)
      busy(2)
      return true
    })
    const schema = Noted.array()
    const parses = Array.from({ length: 5 }, (_, at) =>
      parseInSteps(schema, Array(10).fill({ name: `${at}` })),
    )
    const all = Promise.all(parses).finally(() => {
      isOver = true
    })
    for (; !isOver; turn++) await setImmediate()
    await all
    // A step may begin before or after the turns are counted.
    expect(Math.max(...parsesIn.filter(Boolean).map(({ size }) => size))).toBeLessThan(3)
  })

  test('with its fields in the order of the schema', async () => {
    const schema = z.looseObject({
      list: Entry.array().default([]),
      inner: z.object({ list: Entry.array(), name: z.string() }),
      last: z.string(),
    })
    const inner = { name: 'a', list: entries(2) }
    const { data } = await parseInSteps(schema, { more: 1, last: 'b', inner, list: entries(1) })
    expect(Object.keys(data!)).toEqual(['list', 'inner', 'last', 'more'])
    expect(Object.keys(data!.inner)).toEqual(['list', 'name'])
  })

  test('like others, up to the first problem', async () => {
    const schema = z.object({ list: Entry.array().max(2), note: z.string().default('none') })
    expect((await parseInSteps(schema, { list: entries(2) })).data).toEqual({
      list: entries(2),
      note: 'none',
    })
    const problemsOf = async (value: unknown) =>
      (await parseInSteps(schema, value)).error?.issues.map(({ path }) => path.join('.'))
    expect(await problemsOf({ list: entries(3) })).toEqual(['list'])
    expect(await problemsOf({ list: [{ name: 'long' }, { name: 1 }] })).toContain('list.0.name')
  })
})
