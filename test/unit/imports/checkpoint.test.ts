import { expect, test } from 'vitest'
import { beginningOf, canResume } from '../../../src/imports/checkpoint.ts'

const FILE = { store: 'file', id: 'f' } as never
const start = { empty: true, file: FILE, reading: undefined }
const begun = { ...beginningOf(null, start), rows: 500, columnValues: [500] }

test('an import goes on only where rows are put together as before', () => {
  expect(canResume(null, undefined)).toBe(false)
  expect(canResume({ file: FILE }, undefined)).toBe(false)
  expect(canResume(begun, undefined)).toBe(true)
  expect(canResume(begun, 'families')).toBe(false)
  expect(canResume({ ...begun, reading: 'families' }, 'families')).toBe(true)
  expect(canResume({ ...begun, reading: 'families' }, 'others')).toBe(false)
})

test('else it begins anew, with the settings that an extension answered and nothing that was counted', () => {
  const settings = { catalog: 'main' } as never
  const anew = { empty: false, file: FILE, reading: 'families' }
  expect(beginningOf({ ...begun, settings, unknown: 3 }, anew)).toEqual({
    ...beginningOf(null, anew),
    rejects: expect.anything(),
    settings,
  })
  expect(beginningOf(begun, anew)).toMatchObject({ rows: 0, empty: false, reading: 'families' })
})
