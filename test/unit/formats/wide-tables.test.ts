import { expect, test } from 'vitest'
import { storedBuffer } from '../../../src/formats/bytes/stored-bytes.ts'
import { csv } from '../../../src/formats/csv/format.ts'
import { longestStep } from '../../support/longest-step.ts'

/** Milliseconds; recognizing all columns at once takes several times as long. */
const STEP_MS = 200
const COLUMNS = 1_900

const line = (cell: (at: number) => string): string =>
  `A,${Array.from({ length: COLUMNS }, (_, at) => cell(at)).join(',')}\n`

async function open(text: string) {
  const settings = {
    ...{ delimiter: null, quote: '"', header: true, entry: null, sheet: null },
    ...{ columns: null, unmapped: null, vendor: 'Nord' },
  }
  const now = new Date('2026-01-01')
  const file = await csv.open(storedBuffer(Buffer.from(text)), settings, {
    ...{ now, isCancelled: () => false },
  })
  await file.close()
  return file
}

test('a row of a million cells below the headings does not delay anything else', async () => {
  const text = `id,name\nA1,${','.repeat(1_000_000)}\nA2,Table\n`
  expect(await longestStep(() => open(text))).toBeLessThan(STEP_MS)
})

test('other work is done while the columns of a wide table are recognized', async () => {
  const text = `id,name${line((at) => `price ${at}`).slice(1)}${line(() => 'from 1.234,56 EUR').repeat(25)}`
  await open(text)
  expect(await longestStep(() => open(text))).toBeLessThan(STEP_MS)
})
