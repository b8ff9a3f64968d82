import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseAs } from '../../../src/extensions/json.ts'
import { bodyChecks } from '../../../src/http/request-input.ts'
import { limits } from '../../../src/limits.ts'
import { operations } from '../../../src/operations.ts'
import { problemText } from '../../../src/platform/validation-problem.ts'
import { ProductBody } from '../../../src/products/schemas.ts'
import { SynonymSettings } from '../../../src/search/tuning/schemas.ts'

/** Places of lists without a maximum, and of records whose entries are not counted first. */
function unbounded(schema: z.core.$ZodType, place: string, isCounted = false): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) =>
        unbounded(field, `${place}.${name}`),
      )
    case 'array': {
      const isBounded = def.checks?.some(({ _zod }) => _zod.def.check === 'max_length')
      return [...(isBounded ? [] : [place]), ...unbounded(def.element, `${place}[]`)]
    }
    case 'record':
      return [...(isCounted ? [] : [place]), ...unbounded(def.valueType, `${place}{}`)]
    case 'pipe': {
      const isTransformed = (def.in as z.core.$ZodTypes)._zod.def.type === 'transform'
      return [...unbounded(def.in, place), ...unbounded(def.out, place, isTransformed)]
    }
    case 'union':
      return def.options.flatMap((option) => unbounded(option, place))
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'catch':
    case 'readonly':
      return unbounded(def.innerType, place, isCounted)
    default:
      return []
  }
}

test('every list and record in a body is bounded before its entries are parsed', () => {
  const found = operations.flatMap(({ name, bindings }) =>
    Object.values(bindings).flatMap(({ body }) =>
      body && body !== 'stream' ? unbounded(body, name) : [],
    ),
  )
  expect(found).toEqual([])
})

test('a product with 180,000 wrong attributes is refused for their number', () => {
  const attributes = Object.fromEntries(Array.from({ length: 180_000 }, (_, at) => [at, 1]))
  const { error } = ProductBody.safeParse({ attributes })
  expect(problemText(error!, 'body')).toBe(
    `attributes: more than ${2 * limits.productAttributes} names`,
  )
})

/** What the checks of a JSON body say about one. */
async function refusalOf(schema: z.ZodType, body: unknown): Promise<string> {
  const app = new Hono()
  const text = JSON.stringify(body)
  app.use(async (c, next) => {
    c.set('sentBytes', Buffer.from(text))
    await next()
  })
  app.use(...bodyChecks(schema))
  app.post('/', (c) => c.text('accepted'))
  app.onError((error, c) => c.text(error.message))
  const headers = { 'content-type': 'application/json' }
  return (await app.request('/', { method: 'POST', headers, body: text })).text()
}

test('a body with 190,000 wrong texts is refused for the first', async () => {
  const numbers = (count: number) => Array.from({ length: count }, () => 1)
  const group = { words: numbers(50), from: numbers(25), to: numbers(25) }
  const groups = Array.from({ length: 1_900 }, () => group)
  expect(await refusalOf(SynonymSettings, { groups })).toBe(
    'groups[0].words[0]: expected string, received number',
  )
})

test('what follows the first wrong value is not checked', async () => {
  let checked = 0
  const Wrong = z.custom<string>(() => {
    checked++
    return false
  })
  const schema = z.object({ texts: z.array(Wrong).max(9) })
  const value = { texts: ['a', 'b', 'c'] }
  expect(await refusalOf(schema, value)).toBe('texts[0]: Invalid input')
  expect(() => parseAs(schema, value, 'answer')).toThrow('answer.texts[0]: Invalid input')
  expect(checked).toBe(2)
})
