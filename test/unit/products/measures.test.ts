import { describe, expect, test } from 'vitest'
import { measuresIn, unfinishedMeasure } from '../../../src/products/measures.ts'

const terms = (text: string) => measuresIn(text).flatMap((measure) => measure.terms)

describe('measures', () => {
  test.each([
    ['bearing 25mm', ['25mm']],
    ['25 x 62 x 18.25 mm', ['25mm', '62mm', '18.25mm', '25x62', '25x62x18.25']],
    ['5,5 mm', ['5.5mm']],
    ['2 m', ['2000mm']],
    ['200 cm', ['2000mm']],
    ['16 GB', ['16000mb']],
    ['16gb', ['16000mb']],
    ['18-volt', ['18v']],
    ['18 V', ['18v']],
    ['27 Zoll', ['27in']],
    ['27"', ['27in']],
    ['1/4"', ['0.25in']],
    ['1-1/2 inches', ['1.5in']],
    ['10,000 mAh', ['10ah']],
    ['560 MB/s', ['560mb/s']],
    ['1920 × 1080', ['1920x1080']],
    ['M8x40', ['m8x40']],
    ['M 8 x 40', ['m8x40']],
    ['m8-40', ['m8x40']],
    ['M8 x 40 mm', ['40mm', 'm8x40']],
  ])('%s', (text, expected) => {
    expect(terms(text)).toEqual(expected)
  })

  test.each(['DDR4-3200', '0137A', '24-port', '802.11 b/g', 'AB12V', '4006381333931 g', 'x', ''])(
    'none in %s',
    (text) => {
      expect(terms(text)).toEqual([])
    },
  )

  test('report their position', () => {
    expect(measuresIn('a 25 mm b')).toEqual([{ start: 2, end: 7, terms: ['25mm'] }])
  })

  test('are parsed in linear time', () => {
    expect(measuresIn('1 mm '.repeat(100_000))).toHaveLength(100)
    expect(measuresIn('1.'.repeat(100_000))).toEqual([])
    expect(measuresIn('1 x '.repeat(100_000)).length).toBeLessThan(2)
  })
})

describe('an incompletely typed measure', () => {
  test.each([
    ['ssd 16 g', ['16000mb', '16g', '16000000000hz', '16000mbit', '16000mb/s']],
    ['18 vol', ['18v']],
    ['27 zo', ['27in']],
  ])('%s', (text, expected) => {
    expect(unfinishedMeasure(text)?.terms.toSorted()).toEqual(expected.toSorted())
  })

  test.each(['ssd', 'a1b', '16', '16 xyz', ''])('none in %s', (text) => {
    expect(unfinishedMeasure(text)).toBeUndefined()
  })
})
