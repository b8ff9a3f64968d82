import { expect, test } from 'vitest'
import { commonNames } from '../../../src/exports/common-names.ts'
import { limits } from '../../../src/limits.ts'
import { inSteps } from '../../../src/platform/in-steps.ts'
import { atOnce } from '../../../src/platform/steps.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'

const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'x']))

test('the most common names come first, equally common ones in the order of their letters', () => {
  const products = [{ b: 1, c: 1, z: 1 }, { z: 2, a: 2 }, {}, { c: 3, z: 3 }]
  expect(atOnce(commonNames(products, 3))).toEqual(['z', 'c', 'a'])
  expect(atOnce(commonNames(products, 9))).toEqual(['z', 'c', 'a', 'b'])
  expect(atOnce(commonNames([], 9))).toEqual([])
})

test('common names are found wherever they are among thousands of others', () => {
  const common = ['early', 'middle', 'late']
  const rare = (from: number) => Array.from({ length: 2_500 }, (_, at) => `rare ${from + at}`)
  const products = common.flatMap((name, at) => [
    named([...rare(1_000 + 2_500 * at), name]),
    named([name]),
  ])
  const expected = ['early', 'late', 'middle', 'rare 1000', 'rare 1001']
  expect(atOnce(commonNames(products, 5))).toEqual(expected)
})

/** Different names in no order. */
const nameOf = (at: number) => ((at * 2_654_435_761) % 2 ** 32).toString(36)

test('names of which each product has its own let others run while they are counted', async () => {
  const count = limits.productAttributes
  const products = Array.from({ length: 200 }, (_, product) =>
    named(Array.from({ length: count }, (_, at) => nameOf(product * count + at))),
  )
  const work = () => inSteps(commonNames(products, limits.exportNames))
  await expectStepsBelow(100, work)
})
