import { describe, expect, test } from 'vitest'
import { noSettings } from '../../../src/extensions/installation.ts'
import {
  changedFields,
  mergedFields,
  remoteFields,
  settingsFields,
} from '../../../src/imports/installed/merge-fields.ts'

const stored = {
  fileUrl: 'https://a.example/list.csv',
  username: 'ada',
  password: 'secret',
  delimiter: ';',
}

describe('a request on top of stored values', () => {
  test('changes the values that it contains, and keeps the others', () => {
    expect(
      mergedFields(stored, { delimiter: '|', vendor: 'Oakvale', fileType: null, zipped: '' }),
    ).toEqual({ ...stored, delimiter: '|', vendor: 'Oakvale' })
    expect(mergedFields(stored, { header: false })).toEqual({ ...stored, header: false })
  })

  test('keeps stored credentials for the stored address only', () => {
    expect(mergedFields(stored, { fileUrl: stored.fileUrl })).toEqual(stored)
    expect(mergedFields(stored, { fileUrl: 'https://thief.example/' })).toEqual({
      fileUrl: 'https://thief.example/',
      delimiter: ';',
    })
    expect(mergedFields(stored, { fileUrl: 'https://b.example/', username: 'bob' })).toEqual({
      fileUrl: 'https://b.example/',
      username: 'bob',
      delimiter: ';',
    })
  })
})

test('settings define vendor, catalog and mappings', () => {
  expect(settingsFields(noSettings)).toEqual({})
  const mappings = [{ column: 0, field: 'id', attribute: null }]
  expect(settingsFields({ ...noSettings, vendor: 'Oakvale', catalog: 'tools', mappings })).toEqual({
    vendor: 'Oakvale',
    targetCatalog: 'tools',
    mappings,
  })
})

test('a remote extension names its file, and not where the rows go', () => {
  const answer = {
    fileUrl: 'https://a.example/',
    targetCatalog: 'x',
    callbackUrl: 'y',
    header: false,
  }
  expect(remoteFields(answer, { vendors: 'one' })).toEqual({
    fileUrl: 'https://a.example/',
    header: false,
  })
})

test('a request changes how its rows are used, and not where the file is', () => {
  const request = { fileUrl: 'https://a.example/', targetCatalog: 'tools', fullFile: true }
  expect(changedFields(request)).toEqual({ targetCatalog: 'tools', fullFile: true })
})
