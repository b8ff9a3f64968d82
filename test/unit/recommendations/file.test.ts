import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { rowsIn } from '../../../src/recommendations/bom/file.ts'
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
const by = (signal: AbortSignal) => ({ signal, organization })

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
