import { afterAll, beforeAll, expect, test } from 'vitest'
import { createS3Store } from '../../src/platform/s3-store.ts'
import { expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { counts, importFile, newCatalog, product, rejectsOf, upload } from '../support/imports.ts'
import { type S3Server, startS3Server } from '../support/s3-server.ts'
import { startService } from '../support/service.ts'

let bucket: S3Server
let organization: TestOrganization

beforeAll(async () => {
  bucket = await startS3Server()
  const service = await startService({ files: createS3Store({ ...bucket, prefix: 'shop' }) })
  organization = await newOrganization(service)
  await newCatalog(organization)
})

afterAll(() => bucket.stop())

test('an upload of any size is imported from a bucket, and its rejects are read from there', async () => {
  const rows = Array.from({ length: 3_000 }, (_, i) => `P${i},Name ${i},${'x'.repeat(400)}`)
  const file = ['id,name,description', ...rows, '..,bad,'].join('\n')
  const task = await importFile(organization.call, file)
  expect(counts(task)).toMatchObject({ created: 3_000, rejected: 1 })
  expect((await product(organization.call, 'P2999')).name).toBe('Name 2999')
  expect(await rejectsOf(organization.call, task)).toContain('..')
})

test('a file is downloaded from a bucket as it was uploaded', async () => {
  const text = 'id\n'.repeat(100_000)
  const url = await upload(organization.call, text)
  const path = url.replace('http://localhost:3000', '')
  expect((await expectOk(organization.call(`GET ${path}`))).body).toBe(text)
})
