import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { caller, expectOk, OPERATOR_KEY, serviceAt } from '../support/client.ts'
import { importFile, newCatalog, upload } from '../support/imports.ts'
import { startProcess } from '../support/started.ts'
import { xlsxFile } from '../support/xlsx-file.ts'

const ID = 'full-disk'

test('an import fails, and is not repeated for ever, without room for temporary files', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'aisle-disk-'))
  const settings = { TMPDIR: join(dataDir, 'missing'), BOOTSTRAP_API_KEY: OPERATOR_KEY }
  const started = startProcess({ dataDir, prefix: 'disk', settings })
  const service = serviceAt(await started.listening())
  const operator = caller(service, { key: OPERATOR_KEY })
  const users = [{ username: 'a', role: 'administrator' }]
  await expectOk(operator('POST /api/organizations', { body: { id: ID, name: ID, users } }))
  const wanted = { name: 'a', keyType: 'full', username: 'a' }
  const made = await operator('POST /api/KeyAuth/keys', { organization: ID, body: wanted })
  const call = caller(service, { key: made.body.key, organization: ID })
  await newCatalog({ call })
  const rows = '<row><c t="inlineStr"><is><t>id</t></is></c></row>'
  const workbook = xlsxFile({ sheets: [{ name: 'S', rows }] })
  const { status, message } = await importFile(call, workbook, { name: 'list.xlsx' })
  expect(status).toBe('failed')
  expect(message).toMatch(
    /^The disk for temporary files is full or cannot be written\. Try again later\./,
  )
  const body = { fileUrl: await upload(call, workbook, 'list.xlsx') }
  const sample = await call('POST /api/extensions/available/file/getSample', { body })
  expect([sample.status, sample.headers.get('retry-after')]).toEqual([503, '30'])
  await started.kill()
})
