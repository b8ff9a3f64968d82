import { expect, test } from 'vitest'
import { atOnce } from '../../../../src/platform/steps.ts'
import {
  frequentValuesBody,
  hasValue,
  readValues,
} from '../../../../src/search/learning/learned-values.ts'
import { token } from '../../../../src/text.ts'

const terms = (counts: Readonly<Record<string, number>>) => ({
  buckets: Object.entries(counts).map(([key, doc_count]) => ({ key, doc_count })),
})
const learned = (aggregations: object, language: 'en' | 'de' = 'en') =>
  Object.fromEntries(atOnce(readValues({ aggregations } as never, language)))

const black = token('Colour', 'Black', 'black')
const toner = token('Toner colour', 'black')

test('a value is known by its typed form, with each facet that has it, most frequent first', () => {
  const facets = terms({ [black]: 5, [toner]: 7, [token('Port', 'USB-C', 'usb-c')]: 30 })
  const attributes = terms({ [token('Bore', '10 mm')]: 2, [black]: 5 })
  const values = learned({ facets, attributes })
  expect(Object.keys(values)).toEqual(['usbc', 'black', '10mm'])
  expect(values.black).toEqual({ facets: [black, toner], attributes: [black] })
  expect(hasValue(values['10mm']!)).toEqual({
    terms: { 'search.attributes': [token('Bore', '10 mm')] },
  })
})

test('for a yes/no value its name is typed; negations, numbers and long texts are no values', () => {
  const touch = token('Touchscreen', 'Yes', 'yes')
  const facets = terms({
    [touch]: 9,
    [token('Bluetooth', 'No', 'no')]: 9,
    [token('Ports', '48')]: 9,
    [token('Notes', 'long '.repeat(10))]: 9,
  })
  expect(learned({ facets })).toEqual({ touchscreen: { facets: [touch], attributes: [] } })
  expect(Object.keys(learned({ facets: terms({ [token('WLAN', 'Ja', 'ja')]: 1 }) }, 'de'))).toEqual(
    ['wlan'],
  )
})

test('values and names are kept up to a limit', () => {
  const many = (count: number, of: (at: number) => string) =>
    terms(Object.fromEntries(Array.from({ length: count }, (_, at) => [of(at), count - at])))
  const values = learned({ facets: many(400, (at) => token('Size', `size ${at}`)) })
  expect([Object.keys(values).length, values.size299 !== undefined]).toEqual([300, true])
  const names = learned({ facets: many(9, (at) => token(`name ${at}`, 'red')) })
  expect(names.red!.facets).toHaveLength(3)
})

test('of very many values, those of a sample of products are counted', () => {
  const counted = (facets: number, attributes: number) =>
    frequentValuesBody({
      aggregations: { facets: { value: facets }, attributes: { value: attributes } },
    } as never).aggs
  const values = (field: string) => ({
    terms: { field, size: 2_000, include: '.{1,80}', execution_hint: 'map' },
  })
  const aggs = { facets: values('search.facets'), attributes: values('search.attributes') }
  expect(counted(100_000, 400_000)).toEqual(aggs)
  expect(counted(100_000, 4_900_000)).toEqual({
    sample: { random_sampler: { probability: 0.1, seed: 1 }, aggs },
  })
})
