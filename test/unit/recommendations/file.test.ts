import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { atOnce } from '../../../src/platform/steps.ts'
import { rowsIn } from '../../../src/recommendations/bom/file.ts'
import { decodeText, utf8Of } from '../../../src/recommendations/bom/sheet.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'
import { workbookParts } from '../../support/xlsx-file.ts'
import { zipFile } from '../../support/zip-file.ts'

const WIDTH = 32

/** A workbook whose cells all share one text, with a picture, which makes the ratio plausible. */
const sharing = (rows: number) => {
  const cells = '<c t="s"><v>0</v></c>'.repeat(WIDTH)
  const sheets = [{ name: 'List', rows: `<row>${cells}</row>`.repeat(rows) }]
  const strings = `<si><t>${'x'.repeat(32_000)}</t></si>`
  const picture = { name: 'xl/media/image1.png', content: randomBytes(600_000) }
  return zipFile([...workbookParts({ sheets, strings }), picture])
}

const organization = {
  ...{ id: 'list', name: 'List', parent: null },
  ...{ defaultCatalog: null, catalogLimit: null, credits: null },
}
const requests = { hasOthers: () => false }
const by = (signal: AbortSignal) => ({ signal, organization, requests })

describe('a workbook whose cells share a long text', () => {
  test('is refused as a list once its rows have too many characters', async () => {
    const reading = rowsIn(sharing(80), by(new AbortController().signal))
    await expect(reading).rejects.toThrow('The list has more than 67108864 characters.')
  })

  test('is read no longer than its request', async () => {
    const reading = rowsIn(sharing(60), by(AbortSignal.timeout(20)))
    await expect(reading).rejects.toThrow('timeout')
  })
})

describe('a large list without a format', () => {
  test('does not block others, however few of its bytes are text', async () => {
    const list = Buffer.alloc(5 * 1024 * 1024, 0xff)
    const signal = new AbortController().signal
    await expectStepsBelow(50, () => rowsIn(list, by(signal)))
  })

  const PIECE = 64 * 1024
  const start = 'x'.repeat(PIECE - 1)
  test.each([
    ['UTF-8', `${start}ü🔩`, 'utf8', `${start}ü🔩`],
    ['UTF-8 with a mark', `\ufeff${start}ü🔩`, 'utf8', `${start}ü🔩`],
    ['UTF-16', `\ufeff${start}🔩`, 'utf16le', `${start}🔩`],
    ['Windows-1252', `${start}üß`, 'latin1', `${start}üß`],
  ] as const)('is decoded in pieces from %s', (_, text, encoding, expected) => {
    expect(atOnce(decodeText(Buffer.from(text, encoding)))).toBe(expected)
  })

  test('is encoded in pieces, which never divide a character', async () => {
    const text = `${start}🔩🔩${'y'.repeat(PIECE - 3)}🔩`
    const pieces: Buffer[] = []
    for await (const piece of utf8Of(text)) pieces.push(piece)
    expect(pieces.map(({ length }) => length)).toEqual([PIECE + 3, PIECE + 5])
    expect(Buffer.concat(pieces).toString('utf8')).toBe(text)
  })
})
