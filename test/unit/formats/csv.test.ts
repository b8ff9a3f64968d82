import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellsIn } from '../../../src/formats/csv/cells.ts'
import { detectDelimiter } from '../../../src/formats/csv/delimiter.ts'
import { csvRows } from '../../../src/formats/csv/rows.ts'
import { inBatches, type RawRow } from '../../../src/formats/rows/raw-row.ts'
import { limits } from '../../../src/limits.ts'

const dialect = { delimiter: ',', quote: '"' }

async function* pieces(text: string | Buffer, size = 64 * 1024): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(text: string | Buffer, size?: number, by = dialect): Promise<RawRow[]> {
  const rows: RawRow[] = []
  for await (const chunk of csvRows(pieces(text, size), by)) {
    for (const row of chunk) rows.push(row)
  }
  return rows
}

const cellsOf = ({ text }: RawRow) => cellsIn(text, dialect)

const brief = (rows: readonly RawRow[]) =>
  rows.map((row) =>
    row.problem === undefined ? [row.line, cellsOf(row)] : [row.line, cellsOf(row), row.problem],
  )

describe('rows of a quoted file', () => {
  test('have the number of the line where they begin', async () => {
    const text = 'a,b\n1,2\n\n"x\ny","p""q"\r\n3,4'
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(brief(await read(text, size))).toEqual([
        [1, ['a', 'b']],
        [2, ['1', '2']],
        [4, ['x\ny', 'p"q']],
        [6, ['3', '4']],
      ])
    }
  })

  test.each(['\n', '\r\n', '\r'])('end with %j', async (end) => {
    const text = ['a,b', '1,"x', 'y"', '3,4', ''].join(end)
    for (const size of [1, 1000]) {
      expect(brief(await read(text, size))).toEqual([
        [1, ['a', 'b']],
        [2, ['1', `x${end}y`]],
        [4, ['3', '4']],
      ])
    }
  })

  test('can have any number of cells; blank ones are skipped', async () => {
    expect(brief(await read('a,b\n1\n,,\n  \n1,2,\n1,2,3\n'))).toEqual([
      [1, ['a', 'b']],
      [2, ['1']],
      [5, ['1', '2', '']],
      [6, ['1', '2', '3']],
    ])
  })

  test('keep quotes inside a cell', async () => {
    expect(brief(await read('a,b\n17" screen,"5"" pipe"\n'))).toEqual([
      [1, ['a', 'b']],
      [2, ['17" screen', '5" pipe']],
    ])
  })

  test('are the same however the file is split into chunks', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'ö', ',', '"', '\n', ' '), maxLength: 6 })
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (rows, size) => {
        const quoted = rows.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`))
        const text = quoted.map((cells) => cells.join(',')).join('\n')
        const got = await read(text, size)
        expect(got).toEqual(await read(text))
        const wanted = rows.filter((cells) => cells.some((part) => part.trim() !== ''))
        expect(got.map(cellsOf)).toEqual(wanted)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a broken row', () => {
  test('with an unclosed quote costs only its own line', async () => {
    for (const size of [1, 5, 1000]) {
      expect(brief(await read('a,b\n1,2\n3,"oops\n5,6\n7,8\n', size))).toEqual([
        [1, ['a', 'b']],
        [2, ['1', '2']],
        [3, ['3', '"oops'], 'a quote is not closed'],
        [4, ['5', '6']],
        [5, ['7', '8']],
      ])
    }
  })

  test('is one whose quote is only closed by the next row', async () => {
    for (const size of [1, 6, 1000]) {
      expect(brief(await read('a,b\n1,"x\n2,"y"\n"""q""\nz",4\n', size))).toEqual([
        [1, ['a', 'b']],
        [2, ['1', '"x'], 'a quote is not closed'],
        [3, ['2', 'y']],
        [4, ['"q"\nz', '4']],
      ])
    }
  })

  test('of 50 MB is skipped without being buffered, and reading continues', async () => {
    async function* large(): AsyncGenerator<Buffer> {
      yield Buffer.from('a,b\n1,2\n3,"')
      for (let i = 0; i < 800; i++) yield Buffer.alloc(64 * 1024, 'x')
      yield Buffer.from('"\n5,6\n')
    }
    const before = process.memoryUsage().rss
    const rows: RawRow[] = []
    for await (const chunk of csvRows(large(), dialect)) rows.push(...chunk)
    expect(rows.map(({ line, problem }) => [line, problem])).toEqual([
      [1, undefined],
      [2, undefined],
      [3, `the row is larger than ${limits.importRowBytes} bytes, or a quote is not closed`],
      [4, undefined],
    ])
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * 1024 * 1024)
  })

  test('casts doubt on the rows after it', async () => {
    const cell = `"${'line one\nline two\n'.repeat(70_000)}"`
    const rows = await read(`a,b\n1,${cell}\n5,6\n`)
    expect(rows.slice(0, 2).map(({ after }) => after)).toEqual([undefined, undefined])
    expect(rows[2]!.after).toBe(2)
    expect(rows.at(-1)!.after).toBeGreaterThan(2)
    expect(cellsOf(rows.at(-1)!)).toEqual(['5', '6'])
  })

  test('that occurs a hundred times ends the reading', async () => {
    const text = `a,b\n${'1,"x\n'.repeat(101)}`
    await expect(read(text)).rejects.toThrow('More than 100 rows have this problem')
  })

  test('that is the first one is reported', async () => {
    await expect(read('"a,b\n1,2\n')).rejects.toThrow(
      'Line 1, the first row: a quote is not closed',
    )
  })
})

describe('well-formed records', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'ü', '€', ',', '"', '\n', '\r', ' '),
    maxLength: 8,
  })

  test('are parsed as by csv-parse', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 40 }),
        async (table, end, size) => {
          const quoted = (text: string) =>
            /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
          const text = table.map((cells) => cells.map(quoted).join(',')).join(end)
          const wanted: string[][] = parse(text, {
            record_delimiter: ['\r\n', '\n', '\r'],
            relax_column_count: true,
          })
          const rows = await read(text, size)
          const filled = wanted.filter((cells) => cells.some((part) => part.trim() !== ''))
          expect(rows.map(cellsOf)).toEqual(filled)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('never fail to parse, whatever the text', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', 'é'), maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 20 }), async (rest, size) => {
        const whole = await read(`h,i,j\n${rest}`)
        expect(await read(`h,i,j\n${rest}`, size)).toEqual(whole)
      }),
      { numRuns: 300 },
    )
  })

  test('can have any delimiter and quote', async () => {
    const by = { delimiter: '|', quote: "'" }
    const rows = await read("a|b\n'x|''y\nz'|2\n", 1, by)
    expect(rows.map(({ text: record }) => cellsIn(record, by))).toEqual([
      ['a', 'b'],
      ["x|'y\nz", '2'],
    ])
  })
})

test('the delimiter is that of the first line, outside quotes', () => {
  expect(detectDelimiter('a;b;c\n1,2,3,4,5,6', '"')).toBe(';')
  expect(detectDelimiter('a\tb\n', '"')).toBe('\t')
  expect(detectDelimiter('"a;b;c",d\n', '"')).toBe(',')
  expect(detectDelimiter('\n\na|b\r\n', '"')).toBe('|')
  expect(detectDelimiter('one\n1\n', '"')).toBe(',')
  expect(detectDelimiter('', '"')).toBe(',')
})

test('batches end at a number of rows or of characters', async () => {
  const row = (length: number): RawRow => ({ line: 1, text: 'x'.repeat(length) })
  async function* chunks() {
    yield [row(1), row(1)]
    yield []
    yield [row(1), row(9), row(9), row(1)]
  }
  const sizes: number[] = []
  for await (const batch of inBatches(chunks(), { rows: 3, length: 9 })) sizes.push(batch.length)
  expect(sizes).toEqual([3, 1, 1, 1])
})
