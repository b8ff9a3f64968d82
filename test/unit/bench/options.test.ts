import { describe, expect, test } from 'vitest'
import { readOptions } from '../../../bench/options.ts'

describe('options of the benchmark', () => {
  test('default to 100,000 products and everything except the slow parts', () => {
    const { products, parts, sizes } = readOptions([])
    expect(products).toBe(100_000)
    expect(parts).toContain('import')
    expect(parts).not.toContain('memory')
    expect(parts).not.toContain('growth')
    expect(sizes).toEqual([10_000, 100_000, 1_000_000])
  })

  test('accept numbers with a unit', () => {
    expect(readOptions(['--size', '2k', '--rows', '1.5m'])).toMatchObject({
      products: 2_000,
      rows: 1_500_000,
    })
  })

  test('run parts in a fixed order, whatever the order of their names', () => {
    expect(readOptions(['--only', 'memory,search']).parts).toEqual(['search', 'memory'])
  })

  test.each([
    [['--size', '0'], '--size 0'],
    [['--size', 'many'], '--size many'],
    [['--size', '-5'], 'size'],
    [['--sizes', '10k,'], '--sizes'],
    [['--only', 'serach'], '--only serach'],
    [['--format', 'xml'], '--format xml: expected jsonl or csv'],
    [['--fast'], '--fast'],
  ])('%j is refused', (args, message) => {
    expect(() => readOptions(args)).toThrow(message)
  })
})
