import { test } from 'vitest'
import { storedBuffer } from '../../../src/formats/bytes/stored-bytes.ts'
import { csv } from '../../../src/formats/csv/format.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'

/** Milliseconds; recognizing a million columns takes many times as long. */
const STEP_MS = 200

async function open(text: string) {
  const settings = {
    ...{ delimiter: null, quote: '"', header: true, entry: null, sheet: null },
    ...{ columns: null, unmapped: null, vendor: 'Nord' },
  }
  const options = { now: new Date('2026-01-01') }
  const file = await csv.open(storedBuffer(Buffer.from(text)), settings, options)
  await file.close()
  return file
}

test('a row of a million cells below the headings does not delay anything else', async () => {
  const text = `id,name\nA1,${','.repeat(1_000_000)}\nA2,Table\n`
  await expectStepsBelow(STEP_MS, () => open(text))
})
