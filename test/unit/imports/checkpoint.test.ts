import { expect, test } from 'vitest'
import { canResume, startingCheckpoint } from '../../../src/imports/checkpoint.ts'

const FILE = { store: 'file', id: 'f' } as never
const start = { empty: true, file: FILE, reading: undefined }
const begun = { ...startingCheckpoint(null, start), rows: 500, columnValues: [500] }

test('an import resumes only if rows are still grouped in the same way', () => {
  expect(canResume(null, undefined)).toBe(false)
  expect(canResume({ file: FILE }, undefined)).toBe(false)
  expect(canResume(begun, undefined)).toBe(true)
  expect(canResume(begun, 'families')).toBe(false)
  expect(canResume({ ...begun, reading: 'families' }, 'families')).toBe(true)
  expect(canResume({ ...begun, reading: 'families' }, 'others')).toBe(false)
})

test('otherwise it starts over, with an extension’s settings and without counts', () => {
  const settings = { catalog: 'main' } as never
  const anew = { empty: false, file: FILE, reading: 'families' }
  expect(startingCheckpoint({ ...begun, settings, unknown: 3 }, anew)).toEqual({
    ...startingCheckpoint(null, anew),
    rejects: expect.anything(),
    settings,
  })
  expect(startingCheckpoint(begun, anew)).toMatchObject({
    rows: 0,
    empty: false,
    reading: 'families',
  })
})
