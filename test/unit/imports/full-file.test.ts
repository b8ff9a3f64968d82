import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readShare } from '../../../src/imports/full-file/listed-products.ts'
import { removalQuestion, removedText } from '../../../src/imports/full-file/removal-question.ts'

describe('the products listed by a full file', () => {
  const ids = Array.from({ length: 5_000 }, (_, i) => `P${i}`)
  const tail = ids
    .map((id) => createHash('sha256').update(id).digest().subarray(0, 16))
    .reduce((all, one) => Buffer.concat([all, one]))
    .toString('base64')
  const ctx = { files: { read: async () => undefined } } as never
  const shareOf = (state: { tail: string }, share: number, shares: number) =>
    readShare(ctx, { parts: [], count: 0, ...state }, { share, shares })

  test('are known, and no others', async () => {
    const isUnlisted = await shareOf({ tail }, 0, 1)
    expect(ids.some(isUnlisted)).toBe(false)
    expect(ids.every((id) => isUnlisted(`${id}x`))).toBe(true)
  })

  test('are read at a pace', async () => {
    let paced = 0
    const pace = async () => void paced++
    const files = { read: async () => new Response(Buffer.from(tail, 'base64')) }
    const state = { parts: ['a', 'b'], tail: '', count: 0 }
    const isUnlisted = await readShare({ files } as never, state, { share: 0, shares: 1, pace })
    expect([ids.some(isUnlisted), paced]).toEqual([false, 2])
  })

  test('can be none', async () => {
    expect((await shareOf({ tail: '' }, 0, 1))('P1')).toBe(true)
  })

  test('are divided into shares of similar size, each product in one', async () => {
    const shares = await Promise.all([0, 1, 2, 3].map((share) => shareOf({ tail: '' }, share, 4)))
    const sizes = shares.map((isUnlisted) => ids.filter(isUnlisted).length)
    for (const size of sizes) expect(size).toBeGreaterThan(1_100)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(ids.length)
  })
})

describe('a full file asks for confirmation', () => {
  const found = { vendor: 'Nord', offered: 1_000, listed: 1_000, unlisted: 0, unknown: 0 }
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
    [{ ...found, offered: 0, listed: 0 }, undefined],
    [
      { ...found, offered: 2, listed: 0, unlisted: 2 },
      `The file does not list 2 of the 2 offers of Nord. ${confirm}`,
    ],
    [
      { ...found, offered: 2, listed: 3, unlisted: 2 },
      `The file does not list 2 of the 2 offers of Nord. ${confirm}`,
    ],
    [
      { ...found, unlisted: 1, unknown: 1 },
      `The file does not list 1 of the 1,000 offers of Nord. 1 rejected row may contain some of them: see rejectsUrl. ${confirm}`,
    ],
  ])('of %o', (finding, question) => {
    expect(removalQuestion(finding)).toBe(question)
  })

  test('and reports what it did', () => {
    expect(removedText({ removed: 0 }, 'Nord')).toBe('The file lists all offers of Nord.')
    expect(removedText({ removed: 1 }, 'Nord')).toBe(
      '1 offer of Nord removed that the file does not list.',
    )
    expect(removedText({ removed: 3, deleted: 2 }, 'Nord')).toBe(
      '3 offers of Nord removed that the file does not list. 2 products without other offers deleted.',
    )
  })
})
