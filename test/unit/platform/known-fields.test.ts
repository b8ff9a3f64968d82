import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { closestName } from '../../../src/platform/closest-name.ts'
import {
  allowIgnoredFields,
  knownFields,
  refuseUnknown,
  suggestionText,
  unknownField,
} from '../../../src/platform/known-fields.ts'
import { placeOf, problemText, shownName } from '../../../src/platform/validation-problem.ts'

const Range = z.object({ name: z.string(), min: z.number().nullish(), max: z.number().nullish() })
const Body = z
  .object({
    keywords: z.string(),
    pageSize: z.number(),
    filters: z
      .array(Range)
      .nullish()
      .transform((list) => list ?? []),
    facets: z.record(z.string(), z.string()),
    rows: z.record(z.string(), Range.optional()),
    offer: allowIgnoredFields(z.object({ cost: z.number() }), ['cost', 'checkedAt']).nullable(),
    either: z.union([z.literal(''), Range]),
    open: allowIgnoredFields(z.object({ id: z.string(), inside: Range }), 'any'),
  })
  .refine(() => true)

describe('unknown fields', () => {
  const known = knownFields(Body)

  test.each<[unknown, string | undefined]>([
    [{ keywords: 'drill', filters: [{ name: 'Weight', min: 1 }], facets: { any: 'x' } }, undefined],
    [{ keyword: 'drill' }, 'keyword: unknown field; did you mean "keywords"?'],
    [{ page_size: 1 }, 'page_size: unknown field; did you mean "pageSize"?'],
    [
      { filters: [{}, {}, { minimum: 1 }] },
      'filters[2].minimum: unknown field; did you mean "min"?',
    ],
    [{ filters: [{ colour: 1 }] }, 'filters[0].colour: unknown field; known: name, min, max'],
    [{ rows: { a: {}, b: { nam: 1 } } }, 'rows.b.nam: unknown field; did you mean "name"?'],
    [{ offer: { cost: 1, checkedAt: {} } }, undefined],
    [{ offer: { price: 1 } }, 'offer.price: unknown field; known: cost'],
    [{ either: { maxi: 1 } }, 'either.maxi: unknown field; did you mean "max"?'],
    [{ open: { whatever: 1 } }, undefined],
    [{ open: { inside: { manx: 1 } } }, 'open.inside.manx: unknown field; did you mean "max"?'],
    [{ constructor: 1 }, 'constructor: unknown field; known: keywords, pageSize, filters, facets'],
    // A value of the wrong type is left for the schema to report.
    ['drill', undefined],
    [[{ keyword: 1 }], undefined],
    [{ filters: { a: { minimum: 1 } }, offer: [{ price: 1 }], rows: [{ x: 1 }] }, undefined],
    [null, undefined],
  ])('%j', (value, message) => {
    const refused = () => refuseUnknown(known, value)
    if (message === undefined) expect(refused).not.toThrow()
    else expect(refused).toThrow(message)
  })

  test('are reported with their path below the name of the whole', () => {
    expect(() => refuseUnknown(known, { filters: [{ x: 1 }] }, 'search')).toThrow(
      /^search\.filters\[0\]\.x: unknown field;/,
    )
  })

  test('cannot be determined for schemas that hide their fields', () => {
    expect(() => knownFields(z.intersection(Range, Range))).toThrow('intersection')
    expect(() => knownFields(z.union([Range, Body]))).toThrow('a union of several object types')
  })

  test('exclude ignored fields of a schema after describe, but not after extend', () => {
    const base = allowIgnoredFields(z.object({ a: z.string() }), ['b'])
    expect(unknownField(knownFields(base.meta({ title: 'x' }).optional()), { b: 1 })).toBe(
      undefined,
    )
    expect(unknownField(knownFields(base.extend({ c: z.string() })), { b: 1 })?.name).toBe('b')
  })
})

describe('suggestions for unknown names', () => {
  test.each<[string, readonly string[], string | undefined]>([
    ['Keywords', ['keyword', 'keywords'], 'keywords'],
    ['pagesize', ['page', 'pageSize'], 'pageSize'],
    ['in-stock', ['inStock'], 'inStock'],
    ['vendro', ['vendors', 'vendor'], 'vendor'],
    ['manufacturers', ['manufacturer'], 'manufacturer'],
    ['minimum', ['max', 'min'], 'min'],
    ['catalogs', ['name', 'keyType', 'origins'], undefined],
    ['idea', ['id'], undefined],
    ['q', ['id', 'page'], undefined],
    ['', ['id'], undefined],
    ['k'.repeat(65), ['k'.repeat(64)], undefined],
  ])('%s of %j', (name, known, meant) => expect(closestName(name, known)).toBe(meant))

  test('list some of the known names if none is similar', () => {
    expect(suggestionText('zz', ['id', 'page'])).toBe('known: id, page')
    expect(suggestionText('zz', [])).toBe('there are none')
    const many = Array.from({ length: 40 }, (_, at) => `field${at}`)
    expect(suggestionText('zz', many)).toMatch(/field15 …$/)
  })
})

describe('validation messages', () => {
  test('are free of line breaks and control characters, and shortened', () => {
    expect(shownName('a\nb\u0000c\u202ed')).toBe('a?b?c?d')
    expect(shownName('x'.repeat(1_000_000))).toBe(`${'x'.repeat(60)}…`)
    expect(placeOf(['facets', 'y'.repeat(99), 0])).toBe(`facets.${'y'.repeat(60)}…[0]`)
  })

  test('use the likeliest alternative of a union', () => {
    const name = z.string().regex(/^[a-z]+$/, 'must be letters')
    const schema = z.object({ list: z.array(z.union([name, z.literal('')])) })
    const problem = (value: unknown) => problemText(schema.safeParse(value).error!, 'body')
    expect(problem({ list: ['a', '1'] })).toBe('list[1]: must be letters')
    expect(problem({ list: [5] })).toBe('list[0]: expected string, received number')
    expect(problem({})).toBe('list: required')
    expect(problem([])).toMatch(/^body: expected object/)
  })
})
