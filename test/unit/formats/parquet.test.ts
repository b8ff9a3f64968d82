import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ByteRange, storedBuffer } from '../../../src/formats/bytes/stored-bytes.ts'
import { DecodingBudget } from '../../../src/formats/parquet/decoding-budget.ts'
import { textsByLength } from '../../../src/formats/parquet/delta.ts'
import { pagesOf, readAheadOf } from '../../../src/formats/parquet/pages.ts'
import { structEnd } from '../../../src/formats/parquet/thrift.ts'
import { dictionaryOf, packedNumbers, storageOf } from '../../../src/formats/parquet/values.ts'
import { limits } from '../../../src/limits.ts'
import { listOfTexts, parquetFile, readParquet } from '../../support/parquet-file.ts'

/** Files of 40 rows, written by pyarrow 26 and DuckDB 2. */
const written = (name: string): Buffer => readFileSync(`test/support/parquet/${name}.parquet`)
const WRITTEN = ['arrow-v1-snappy', 'arrow-v2-delta-zstd', 'arrow-v1-int96-gzip', 'duckdb']

test.each(WRITTEN)('every kind of value of %s is converted to text', async (name) => {
  const { headings, notes, rows } = await readParquet(written(name))
  expect(notes).toEqual(['Columns not imported, since their values do not fit into cells: dims.'])
  const row = (at: number) =>
    Object.fromEntries(headings.map((key, i) => [key, rows[at]!.cells[i]]))
  expect(rows).toHaveLength(40)
  expect(row(0)).toMatchObject({ id: 'P0', name: '', flag: '', weight: '', upcs: '' })
  expect(row(11)).toMatchObject({ flag: '', upcs: '40000011|40000012|40000013' })
  const price = { price: '0.39', weight: '', stock: '29', ubig: '18446744073709551576' }
  expect(row(39)).toEqual({
    ...{ id: 'P39', name: 'Bölt 39', brand: 'Süd', ...price, dec: '431.455', flag: 'true' },
    ...{ day: '2020-02-09', upcs: '40000039|40000040|40000041' },
    ts: '2020-01-01T12:30:39',
  })
  expect(row(2)).toMatchObject({ brand: '', weight: '2.1', stock: '-8', dec: '-25.310' })
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

describe('a Parquet file', () => {
  const count = 3_000
  const columns = {
    id: Array.from({ length: count }, (_, at) => `P${at}`),
    name: Array.from({ length: count }, (_, at) => (at % 3 === 0 ? null : `name ${at ** 3}`)),
    stock: Array.from({ length: count }, (_, at) => at % 5),
  }
  const lines = columns.id.map((id, at) => [id, columns.name[at] ?? '', String(at % 5)])

  test.each(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD'] as const)(
    'is read across its row groups and pages, compressed with %s',
    async (codec) => {
      const bytes = parquetFile(columns, { codec, rowGroupSize: 700, pageSize: 500 })
      const { headings, rows } = await readParquet(bytes)
      expect(headings).toEqual(['id', 'name', 'stock'])
      expect(rows.map(({ cells }) => cells)).toEqual(lines)
      expect(rows.at(-1)!.line).toBe(count)
    },
  )

  test('is read inside an archive', async () => {
    const { rows } = await readParquet(gzipSync(parquetFile(columns)))
    expect(rows).toHaveLength(count)
  })

  test('can be read from its beginning only', async () => {
    const { isCut, rows } = await readParquet(parquetFile(columns), { most: 20_000 })
    expect(isCut).toBe(true)
    expect(rows.length).toBeGreaterThan(500)
    expect(rows.length).toBeLessThan(count)
  })

  test('has lists as cells, and no row without any value', async () => {
    const schema = [{ name: 'root', num_children: 1 }, ...listOfTexts('upcs')]
    const bytes = parquetFile({ upcs: [['1', '2'], null, [], ['3', null, '4']] }, { schema })
    const { rows } = await readParquet(bytes)
    expect(rows.map(({ line, cells }) => [line, cells])).toEqual([
      [1, ['1|2']],
      [4, ['3||4']],
    ])
  })

  test('with a row that is too large reports that row', async () => {
    const name = ['a', 'x'.repeat(limits.importRowBytes + 1), 'c']
    const { rows } = await readParquet(parquetFile({ name }))
    expect(rows.map(({ problem }) => problem)).toEqual([
      undefined,
      `the row is longer than ${limits.importRowBytes} characters`,
      undefined,
    ])
  })

  test.each(['GZIP', 'ZSTD', 'SNAPPY'] as const)(
    'with large pages, compressed with %s, holds one of each column at a time',
    async (codec) => {
      const page = 8 * 1024 * 1024
      const name = Array.from({ length: 8 }, () => Buffer.alloc(page, randomBytes(page / 32)))
      const stored = storedBuffer(parquetFile({ name }, { codec, rowGroupSize: 1 }))
      collectGarbage()
      const before = process.memoryUsage().arrayBuffers
      let most = 0
      const read = (range?: ByteRange) => {
        most = Math.max(most, process.memoryUsage().arrayBuffers - before)
        return stored.read(range)
      }
      const { rows } = await readParquet({ ...stored, read })
      expect(rows).toHaveLength(name.length)
      expect(most).toBeLessThan(1.5 * page)
    },
  )

  test('with many small row groups is read with few reads of the file', async () => {
    const stored = storedBuffer(parquetFile(columns, { rowGroupSize: 10 }))
    let reads = 0
    const read = (range?: ByteRange) => {
      reads++
      return stored.read(range)
    }
    const { rows } = await readParquet({ ...stored, read })
    expect(rows.map(({ cells }) => cells)).toEqual(lines)
    expect(reads).toBeLessThan(100)
  })
})

test('what is read ahead of a column counts as held in memory', async () => {
  const bytes = parquetFile(
    { name: Array.from({ length: 20 }, () => randomBytes(8_000)) },
    { codec: 'UNCOMPRESSED', pageSize: 1 },
  )
  const held = { bytes: 0, unpacked: 0 }
  const file = {
    ...{ bytes: bytes.length, packedBytes: bytes.length, readAhead: readAheadOf(1) },
    read: async (from: number, to: number) => bytes.subarray(from, to),
  }
  const column = { type: 'BYTE_ARRAY', codec: 'UNCOMPRESSED', start: 4, bytes: 100_000 } as const
  const pages = pagesOf(file, column, held)
  await pages.next()
  expect(held.bytes).toBeGreaterThan(64 * 1024 + 8_000)
  await pages.return(undefined)
})

describe('an invalid Parquet file is refused:', () => {
  const DAMAGED = 'The Parquet file is damaged or incomplete.'
  const small = parquetFile({ id: ['1', '2', '3'], stock: [1, 2, 3] }, { codec: 'UNCOMPRESSED' })

  test('another format, or one that is cut off', async () => {
    await expect(readParquet(Buffer.from('id,name\n1,x\n'))).rejects.toThrow(
      'is not a Parquet file',
    )
    await expect(readParquet(small.subarray(0, -4))).rejects.toThrow(DAMAGED)
    const empty = Buffer.from('PAR1\x08\0\0\0PAR1', 'latin1')
    await expect(readParquet(empty)).rejects.toThrow(DAMAGED)
  })

  test('a column without a name', async () => {
    const bytes = Buffer.from(small)
    const name = small.indexOf('\x02id', small.length - 8 - small.readUInt32LE(small.length - 8))
    // The number of the field, which is now a later one.
    bytes[name - 1]! += 0x60
    await expect(readParquet(bytes)).rejects.toThrow(DAMAGED)
  })

  test('metadata above its limit, before it is read', async () => {
    const bytes = Buffer.from(small)
    bytes.writeUInt32LE(limits.parquetFooterBytes + 1, bytes.length - 8)
    await expect(readParquet(bytes)).rejects.toThrow('bytes of metadata')
  })

  test('more rows than its size allows, and pages that do not fit into memory', async () => {
    const flat = parquetFile({ id: Array.from({ length: 300_000 }, () => 7) })
    expect(flat.length).toBeLessThan(1_500)
    await expect(readParquet(flat)).rejects.toThrow('rows per byte')
    const wide = { text: [Buffer.alloc(limits.parquetHeldBytes / 2, 'x')] }
    const large = parquetFile(wide, { codec: 'UNCOMPRESSED', statistics: false })
    await expect(readParquet(large)).rejects.toThrow('Write it with smaller pages')
  })

  test.each<[string, number[]]>([
    ['nests too deep', Array.from({ length: 40 }, () => 0x1c)],
    ['has an endless number', [0x15, ...Array.from({ length: 40 }, () => 0xff)]],
    ['has a list of more than it holds', [0x19, 0xf8, 0xff, 0xff, 0x03, 0, 0]],
    ['has a text of more than it holds', [0x18, 0xff, 0xff, 0x03, 0]],
    ['does not end', [0x15, 0x02]],
  ])('a struct that %s', (_, bytes) => {
    expect(() => structEnd(Buffer.from(bytes), 0)).toThrow(RangeError)
  })

  test('any altered byte, quickly and with the same reason', async () => {
    const files = [small, ...WRITTEN.map(written)]
    const change = fc.record({ at: fc.nat(8_000), value: fc.nat(255) })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        async (file, changes) => {
          const bytes = Buffer.from(file)
          for (const { at, value } of changes) bytes[at % bytes.length] = value
          const started = performance.now()
          await readParquet(bytes).catch((error) => expect(error.name).toBe('Invalid'))
          // Far less than unbounded counts would take, even on a busy machine.
          expect(performance.now() - started).toBeLessThan(10_000)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('small files that describe much', () => {
  /** Columns of lists; each list is a row. */
  const lists = (columns: Readonly<Record<string, readonly unknown[]>>) =>
    parquetFile(columns, {
      codec: 'GZIP',
      schema: [
        { name: 'root', num_children: Object.keys(columns).length },
        ...Object.keys(columns).flatMap(listOfTexts),
      ],
    })

  test('a row that repeats a long text of its dictionary is refused before it takes memory', async () => {
    const text = 'x'.repeat(500_000)
    const bytes = lists({ tags: [Array.from({ length: 2_000 }, () => text)] })
    expect(bytes.length).toBeLessThan(5_000)
    const began = process.memoryUsage().heapUsed
    await expect(readParquet(bytes)).rejects.toThrow('unpacks to more than 200 times its size')
    expect(process.memoryUsage().heapUsed - began).toBeLessThan(200e6)
  })

  test('a list of more entries than any row holds is refused', async () => {
    const bytes = lists({ tags: [Array.from({ length: 50_001 }, () => null)] })
    await expect(readParquet(bytes)).rejects.toThrow('a list of more than 50000 entries')
  })

  test('two thousand million lengths of no bits are not read before the first text', () => {
    // Blocks of 2^32 numbers in one miniblock of width 0: 2,000,000,000 numbers, all 0.
    const page = Buffer.from([
      ...[0x80, 0x80, 0x80, 0x80, 0x10, 1],
      ...[0x80, 0xa8, 0xd6, 0xb9, 0x07, 0],
      ...[0, 0],
    ])
    const texts = textsByLength(page, { from: 0, most: 2e9, budget: new DecodingBudget() })
    expect(texts.next()).toEqual({ done: false, value: Buffer.alloc(0) })
  })

  test.each<[string, (budget: DecodingBudget) => unknown]>([
    [
      'blocks of no bits',
      (budget) => {
        const page = Buffer.alloc(4_000_000)
        page.set([0x80, 1, 1, 0x80, 0xa8, 0xd6, 0xb9, 0x07])
        return textsByLength(page, { from: 0, most: 2e9, budget }).next()
      },
    ],
    ['empty runs', (budget) => packedNumbers(Buffer.alloc(4_000_000), 1, budget).next()],
    [
      'empty texts of a dictionary',
      (budget) => dictionaryOf(Buffer.alloc(8_000_000), storageOf('BYTE_ARRAY'), budget),
    ],
  ])('%s are not read without end', (_, read) => {
    expect(() => read(new DecodingBudget())).toThrow('takes too long to decode')
  })
})
