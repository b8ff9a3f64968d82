import { expect, test } from 'vitest'
import { cifValues } from '../../../src/formats/cif/row.ts'
import { parseNumber } from '../../../src/formats/rows/cell-values.ts'
import { isSum } from '../../../src/formats/rows/heading-row.ts'
import { looksLikeHeader } from '../../../src/formats/rows/sample-columns.ts'
import { suggestColumns } from '../../../src/formats/rows/suggest.ts'
import { numberFormat } from '../../../src/formats/xlsx/number-format.ts'
import { cellsOf } from '../../../src/recommendations/bom/cells.ts'
import { roleOf } from '../../../src/recommendations/bom/columns.ts'

/** A length at which quadratic parsing takes minutes. */
const LONG = 200_000
const QUICK_MS = 5_000

const keys = ['supplierpartid', 'classificationcodes', 'parametricdata', 'unitprice']
const terms = { keys, currency: null, today: '2026-01-01' }

test.each(['x', '(', '[', '=', 'a=', 'UNSPSC', 'facet:', '"', '0', '1,000', ':', '€'])(
  'a text of spaces and %s is read fast',
  (sign) => {
    const texts = [`${sign}${' '.repeat(LONG)}x`, `x${sign.repeat(LONG / sign.length)}x`]
    const started = performance.now()
    for (const text of texts) {
      parseNumber(text, '.')
      suggestColumns([text], [[text]])
      looksLikeHeader([text])
      cifValues(['A', text, text, text], terms)
      numberFormat(170, text)
      cellsOf({ line: 1, cells: [text] }, [])
      roleOf(text)
      isSum([text])
    }
    expect(performance.now() - started).toBeLessThan(QUICK_MS)
  },
)

test('a text of punctuation in any order is read fast', () => {
  const text = `a${'\u0301\u0327'.repeat(LONG / 2)}`
  const started = performance.now()
  expect(suggestColumns([text], [[text]])).toHaveLength(1)
  roleOf(text)
  isSum([text])
  expect(performance.now() - started).toBeLessThan(QUICK_MS)
})
