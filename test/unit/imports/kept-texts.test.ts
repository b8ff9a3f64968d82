import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { mappedRow } from '../../../src/formats/rows/mapped-row.ts'
import { createSpelling } from '../../../src/imports/manufacturers.ts'
import { atOnce } from '../../../src/platform/steps.ts'
import { createManufacturerNames } from '../../../src/products/manufacturer-names.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const ROWS = 5_000
const COLUMNS = [
  { index: 0, target: { to: 'product', field: 'id' } },
  { index: 1, target: { to: 'product', field: 'manufacturer' } },
] as const

/** Bytes of memory per row that `keep` retains for rows of 2,000 characters. */
function bytesKept(keep: (row: ReturnType<typeof mappedRow>) => void): number {
  const heap = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = heap()
  for (let at = 0; at < ROWS; at++) {
    const bytes = Buffer.from(`product-number-${at},Manufacturing Works ${at},${'x'.repeat(2_000)}`)
    keep(mappedRow(bytes.toString().split(','), { columns: COLUMNS, decimal: '.', vendor: null }))
  }
  return (heap() - before) / ROWS
}

test('the id of a row does not keep the whole row in memory', () => {
  const ids: (string | null)[] = []
  expect(bytesKept(({ id }) => ids.push(id))).toBeLessThan(500)
  expect(ids[7]).toBe('product-number-7')
})

test('a manufacturer of a row does not keep the whole row in memory', () => {
  const spell = atOnce(createSpelling(createManufacturerNames(), []))
  expect(bytesKept(({ patch }) => spell(patch.manufacturer!))).toBeLessThan(1_000)
  expect(spell('manufacturing works 7')).toBe('Manufacturing Works 7')
})
