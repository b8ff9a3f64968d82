import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { IMPORTED_OFFER_FIELDS, PRODUCT_FIELDS } from '../../../src/formats/rows/fields.ts'
import { ENGLISH } from '../../../src/formats/rows/headings.ts'
import { ImportRequest } from '../../../src/imports/schemas.ts'

const manual = readFileSync('docs/imports.md', 'utf8')
const rows = manual.split('\n').filter((line) => line.startsWith('| `'))
const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)

test('docs/imports.md lists every field of a row and every recognized heading', () => {
  const listed = new Map(
    rows.map((line) => {
      const [, names, headings] = line.split(/(?<!\\)\|/)
      return [codes(names!)[0]!, codes(headings!)]
    }),
  )
  const folded = (text: string) => text.replace(/[^a-zA-Z]/g, '').toLowerCase()
  for (const field of [
    ...Object.keys(PRODUCT_FIELDS),
    ...Object.keys(IMPORTED_OFFER_FIELDS).map((name) => `vendor.${name}`),
  ]) {
    const headings = (listed.get(field) ?? []).map(folded)
    const known = ENGLISH[field]?.split(' ') ?? []
    expect(headings, field).toEqual(expect.arrayContaining(known))
  }
})

test('docs/imports.md lists every field of the request', () => {
  const listed = rows.flatMap((line) => codes(line.split('|')[1]!))
  const known = Object.keys(ImportRequest.shape).filter(
    (name) => name !== 'callbackUrl' && name !== 'extensionId',
  )
  expect(listed).toEqual(expect.arrayContaining(known))
})
