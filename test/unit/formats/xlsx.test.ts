import { describe, expect, test } from 'vitest'
import { storedBuffer } from '../../../src/formats/bytes/stored-bytes.ts'
import { readXml } from '../../../src/formats/text/xml.ts'
import { dateText, durationText } from '../../../src/formats/xlsx/dates.ts'
import { numberFormat, numberText, plainNumber } from '../../../src/formats/xlsx/number-format.ts'
import { createSharedStrings } from '../../../src/formats/xlsx/shared-strings.ts'
import { columnOf, createSheetReader } from '../../../src/formats/xlsx/sheet.ts'
import { openSheet } from '../../../src/formats/xlsx/workbook.ts'
import {
  noFormats,
  readFormats,
  readRelations,
  readWorkbook,
} from '../../../src/formats/xlsx/workbook-parts.ts'
import { limits } from '../../../src/limits.ts'
import { xlsxFile } from '../../support/xlsx-file.ts'

describe('a date', () => {
  test.each<[number, boolean, string | undefined]>([
    [45292, false, '2024-01-01'],
    [45292.5, false, '2024-01-01T12:00:00'],
    [43830, true, '2024-01-01'],
    [0.75, false, '18:00:00'],
    [1, false, '1900-01-01'],
    [59, false, '1900-02-28'],
    [61, false, '1900-03-01'],
    [2958465, false, '9999-12-31'],
    [-1, false, undefined],
    [1e9, false, undefined],
  ])('%d (since 1904: %s) is %s', (serial, is1904, text) => {
    expect(dateText(serial, is1904)).toBe(text)
  })

  test('elapsed hours are not a time of day', () => {
    expect(durationText(1.5)).toBe('36:00:00')
  })
})

describe('a number format', () => {
  test.each<[number, string | undefined, string]>([
    [0, undefined, 'number'],
    [2, undefined, 'number'],
    [14, undefined, 'date'],
    [22, undefined, 'date'],
    [46, undefined, 'duration'],
    [164, 'yyyy-mm-dd', 'date'],
    [164, '[$-407]d. mmmm yyyy;@', 'date'],
    [164, '[h]:mm', 'duration'],
    [164, '#,##0.00 "EUR per day"', 'number'],
    [164, '[Red]0.00;[Black]-0.00', 'number'],
    [164, 'General', 'number'],
    [164, '0\\d', 'number'],
    [164, '0000000000000', 'padded'],
  ])('%d %s is a %s', (id, code, kind) => {
    expect(numberFormat(id, code).kind).toBe(kind)
  })

  test('pads an article number with zeros', () => {
    expect(numberText('42', numberFormat(164, '00000'), false)).toBe('00042')
  })
})

test.each([
  [12.300000000000001, '12.3'],
  [0.1 + 0.2, '0.3'],
  [1e21, '1000000000000000000000'],
  [1.5e-7, '0.00000015'],
  [-1234.5, '-1234.5'],
  [4006381333931, '4006381333931'],
  [0, '0'],
  [-0, '0'],
  [100, '100'],
])('the number %d is written as %s', (value, text) => {
  expect(plainNumber(value)).toBe(text)
})

test.each([
  ['A1', 0],
  ['AB12', 27],
  ['XFD1', 16383],
  ['XFE1', undefined],
  ['12', undefined],
  ['ZZZZZZZZZZZZZZ1', undefined],
])('the cell %s is in column %s', (reference, column) => {
  expect(columnOf(reference)).toBe(column)
})

describe('shared strings', () => {
  test('are looked up in memory and in the temporary file', async () => {
    const strings = await createSharedStrings()
    const text = (at: number) =>
      at % 1000 === 0 ? 'ü'.repeat(40_000) : `text ${at} ${'é'.repeat(at % 90)}`
    const count = 60_000
    for (let at = 0; at < count; at += 7) {
      const length = Math.min(7, count - at)
      strings.add(Array.from({ length }, (_, more) => text(at + more)))
    }
    for (const at of [0, 1, 15, 16, 17, 1000, 59_999, 31_000, 2, 45_678]) {
      expect(strings.at(at)).toBe(text(at))
    }
    for (let at = 0; at < count; at += 37) expect(strings.at(at)).toBe(text(at))
    expect([strings.at(count), strings.at(-1), strings.at(0.5), strings.at(Number.NaN)]).toEqual([
      '',
      '',
      '',
      '',
    ])
    await strings.close()
  })

  test('of a workbook are refused if they take more of the disk than an upload may', async () => {
    const sheets = [{ name: 'S', rows: '<row><c t="s"><v>0</v></c></row>' }]
    const open = (texts: number) => {
      const strings = `<si><t>${'x'.repeat(96)}</t></si>`.repeat(texts)
      const file = storedBuffer(xlsxFile({ sheets, strings }))
      return openSheet(file, { entry: null, sheet: null }, {})
    }
    const { fileBytes } = limits
    Object.assign(limits, { fileBytes: 1_000 })
    try {
      const { xml, parts } = await open(10)
      expect(parts.stringAt(9)).toBe('x'.repeat(96))
      await xml.close?.()
      await expect(open(11)).rejects.toThrow(
        'The shared texts of the workbook take more than 1000 bytes. Divide it, or send it as csv.',
      )
    } finally {
      Object.assign(limits, { fileBytes })
    }
  })
})

async function rowsOf(rows: string, stringAt = (_: number) => 'shared') {
  async function* chunks() {
    const bytes = Buffer.from(`<worksheet><sheetData>${rows}</sheetData><other/></worksheet>`)
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
  }
  const parts = { formatOf: noFormats, is1904: false, packedBytes: 1_000 }
  const reader = createSheetReader({ ...parts, stringAt })
  const found = []
  for await (const some of readXml(chunks(), reader)) found.push(...some)
  return found
}

describe('a shared string', () => {
  const long = 'x'.repeat(30_000)
  const rows = (cells: number, count: number) =>
    `<row>${'<c t="s"><v>0</v></c>'.repeat(cells)}</row>`.repeat(count)

  test('is not read for the rest of a row that is too large', async () => {
    let reads = 0
    const found = await rowsOf(rows(1_000, 2), () => {
      reads++
      return long
    })
    expect(found.map(({ problem }) => problem)).toEqual(Array(2).fill(expect.any(String)))
    expect(reads).toBe(2 * Math.ceil(limits.importRowBytes / long.length))
  })

  test('cannot expand a workbook beyond the limit of compression', async () => {
    expect(await rowsOf(rows(30, 60), () => long)).toHaveLength(60)
    await expect(rowsOf(rows(30, 90), () => long)).rejects.toThrow('more than 200 times its size')
  })
})

async function* inPieces(xml: string) {
  const bytes = Buffer.from(xml)
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

describe('the parts of a workbook', () => {
  test('with a long format used by many styles are parsed fast', async () => {
    const format = `<numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(900_000)}"/></numFmts>`
    const xml = `<styleSheet>${format}<cellXfs>${'<xf numFmtId="200"/>'.repeat(2_000)}</cellXfs></styleSheet>`
    const began = process.threadCpuUsage()
    const formatOf = await readFormats(inPieces(xml))
    for (let style = 0; style < 2_000; style++) expect(formatOf(style)).toEqual({ kind: 'number' })
    expect(formatOf(2_000)).toEqual({ kind: 'number' })
    const { user, system } = process.threadCpuUsage(began)
    expect((user + system) / 1_000).toBeLessThan(1_500)
  })

  test('that refer to too many others are refused', async () => {
    const one = '<Relationship Id="a" Type="b/worksheet" Target="../c.xml"/>'
    const named = (count: number) =>
      readRelations(inPieces(`<Relationships>${one.repeat(count)}</Relationships>`), 'xl')
    expect((await named(2_000))[7]).toEqual({ id: 'a', kind: 'worksheet', target: 'c.xml' })
    await expect(named(20_000)).rejects.toThrow('too many sheets or styles')
  })

  test('with a few very long elements are refused', async () => {
    const sheet = `<sheet name="${'x'.repeat(900_000)}"/>`
    const xml = `<workbook><sheets>${sheet.repeat(20)}</sheets></workbook>`
    await expect(readWorkbook(inPieces(xml))).rejects.toThrow('too many sheets or styles')
  })
})

describe('the names of the sheets of a workbook', () => {
  const missing = (names: readonly string[]) => {
    const sheets = names.map((name) => ({ name, rows: '<row r="1"/>' }))
    const settings = { entry: null, sheet: 'Z' }
    return openSheet(storedBuffer(xlsxFile({ sheets })), settings, {})
  }

  test('are listed if it has no such sheet', async () => {
    await expect(missing(['A', 'B'])).rejects.toThrow(/ no sheet Z; it has A, B$/)
  })

  test('are cut, and only the first ones are listed', async () => {
    const names = Array.from({ length: 11 }, (_, at) => `${at}${'n'.repeat(100_000)}`)
    const cutNames = names.slice(0, 10).map((name) => `${name.slice(0, 199)}…`)
    await expect(missing(names)).rejects.toThrow(` it has ${cutNames.join(', ')} …`)
  })
})

describe('the attributes of a workbook', () => {
  const many = (name: (at: number) => string) =>
    Array.from({ length: 200 }, (_, at) => `${name(at)}=""`).join(' ')

  test('that are used are refused if they are too many, though empty', async () => {
    const sheet = `<sheet ${many((at) => `n${at}:id`)}/>`
    const xml = `<workbook><sheets>${sheet.repeat(1_000)}</sheets></workbook>`
    await expect(readWorkbook(inPieces(xml))).rejects.toThrow('too many sheets or styles')
  })

  test('that are not used do not matter', async () => {
    const sheet = `<sheet ${many((at) => `n${at}`)} name="A" r:id="r1" state="hidden"/>`
    const xml = `<workbook><sheets>${sheet.repeat(1_000)}</sheets></workbook>`
    const { sheets } = await readWorkbook(inPieces(xml))
    expect(sheets).toHaveLength(1_000)
    expect(sheets[999]).toEqual({ name: 'A', relation: 'r1', isHidden: true })
  })
})

describe('a sheet', () => {
  test('returns its rows with their numbers, with gaps and merged cells as empty cells', async () => {
    const rows = await rowsOf(
      '<row r="2"><c r="B2"><v>1</v></c><c r="D2" t="s"><v>0</v></c><c r="E2"/></row><row r="3"/><row r="9"><c><v>5</v></c><c><v>6</v></c></row>',
    )
    expect(rows).toEqual([
      { line: 2, text: '["","1","","shared"]' },
      { line: 9, text: '["5","6"]' },
    ])
  })

  test('with invalid references neither fails nor exhausts memory', async () => {
    const rows = await rowsOf(
      '<row r="x"><c r="XFD1"><v>1</v></c></row><row r="1"><c r="ZZZZ1"><v>2</v></c><c t="s"><v>x</v></c></row>',
    )
    expect(JSON.parse(rows[0]!.text)).toHaveLength(limits.importColumns + 1)
    expect(rows[1]).toEqual({ line: 2, text: '["2","shared"]' })
  })

  test('with a value split by other elements buffers no more than a row', async () => {
    const [row] = await rowsOf(`<row><c><v>${`${'7'.repeat(300_000)}<a/>`.repeat(5)}</v></c></row>`)
    expect(row!.problem).toContain(`longer than ${limits.importRowBytes} characters`)
  })

  test('with a row that is too large reports it', async () => {
    const cell = `<c t="str"><v>${'x'.repeat(500_000)}</v></c>`
    const [row] = await rowsOf(`<row r="1">${cell.repeat(3)}</row>`)
    expect(row!.problem).toContain(`longer than ${limits.importRowBytes} characters`)
  })
})
