import { describe, expect, test } from 'vitest'
import {
  FINGERPRINT_BYTES,
  fingerprintOf,
  setOf,
  shareOf,
} from '../../../src/imports/full-file/fingerprints.ts'
import { removalQuestion, removedText } from '../../../src/imports/full-file/removal-question.ts'

describe('a set of fingerprints', () => {
  const ids = Array.from({ length: 5_000 }, (_, i) => `P${i}`)

  test('has what was put into it, and nothing else', () => {
    const has = setOf(Buffer.concat([...ids, 'P1', 'P1'].map(fingerprintOf)))
    expect(ids.every((id) => has(fingerprintOf(id)))).toBe(true)
    expect(ids.some((id) => has(fingerprintOf(`${id}x`)))).toBe(false)
  })

  test('may be empty', () => {
    expect(setOf(Buffer.alloc(0))(fingerprintOf('P1'))).toBe(false)
  })

  test('is divided into shares of about one size, each in one', () => {
    const shares = ids.map((id) => shareOf(fingerprintOf(id), 4))
    const sizes = [0, 1, 2, 3].map((share) => shares.filter((one) => one === share).length)
    for (const size of sizes) expect(size).toBeGreaterThan(1_100)
    expect(fingerprintOf('P1')).toHaveLength(FINGERPRINT_BYTES)
  })
})

describe('a full file asks', () => {
  const found = { vendor: 'Nord', offered: 1_000, unlisted: 0, unknown: 0 }
  const confirm = 'Confirm the task to remove them, or cancel it to keep them.'

  test.each([
    [{ ...found }, undefined],
    [{ ...found, unknown: 3 }, undefined],
    [{ ...found, unlisted: 500 }, undefined],
    [{ ...found, offered: 12, unlisted: 10 }, undefined],
    [
      { ...found, unlisted: 501 },
      `The file does not list 501 of the 1,000 offers of Nord. ${confirm}`,
    ],
    [
      { ...found, offered: 11, unlisted: 11 },
      `The file does not list 11 of the 11 offers of Nord. ${confirm}`,
    ],
    [
      { ...found, unlisted: 1, unknown: 1 },
      `The file does not list 1 of the 1,000 offers of Nord. 1 rejected row names no product, and may be about some of them. ${confirm}`,
    ],
  ])('of %o', (finding, question) => {
    expect(removalQuestion(finding)).toBe(question)
  })

  test('and says what it did', () => {
    expect(removedText(0, 'Nord')).toBe('The file lists every offer of Nord.')
    expect(removedText(1, 'Nord')).toBe('1 offer of Nord removed, which the file does not list.')
  })
})
