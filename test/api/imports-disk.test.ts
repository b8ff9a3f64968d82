import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOrganization } from '../support/client.ts'
import { importFile, newCatalog, upload } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'
import { xlsxFile } from '../support/xlsx-file.ts'

const folder = process.env.TMPDIR!
let service: TestService
beforeAll(async () => {
  service = await startService()
  // There is no room at all for temporary files of the threads that read files.
  process.env.TMPDIR = join(folder, 'missing')
})
afterAll(() => {
  process.env.TMPDIR = folder
})

const rows = '<row><c t="inlineStr"><is><t>id</t></is></c></row>'
const workbook = xlsxFile({ sheets: [{ name: 'S', rows }] })

test('an import fails, rather than start over for ever, when there is no room for temporary files', async () => {
  const organization = await newOrganization(service)
  await newCatalog(organization)
  const { call } = organization
  const { status, message } = await importFile(call, workbook, { name: 'list.xlsx' })
  expect(status).toBe('failed')
  expect(message).toMatch(/^The disk for temporary files is full\. Try again later\./)
  const body = { fileUrl: await upload(call, workbook, 'list.xlsx') }
  const sample = await call('POST /api/extensions/available/file/getSample', { body })
  expect([sample.status, sample.headers.get('retry-after')]).toEqual([503, '30'])
})
