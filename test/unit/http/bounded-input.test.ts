import { expect, test } from 'vitest'
import type { z } from 'zod'
import { limits } from '../../../src/limits.ts'
import { operations } from '../../../src/operations.ts'
import { problemText } from '../../../src/platform/validation-problem.ts'
import { ProductBody } from '../../../src/products/schemas.ts'

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
