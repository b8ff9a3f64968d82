import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { field } from '../../../src/extensions/fields.ts'
import { protectedTexts, protectedValues, redacted } from '../../../src/extensions/redact.ts'
import { atOnce } from '../../../src/platform/steps.ts'

const fields = [field('password', '', { protected: true }), field('account', '')]
const without = (said: unknown, password: string) => {
  const installed = { fields: { password, account: '100100' } }
  const values = protectedValues({ fields }, { installed, request: null })
  return redacted(said, atOnce(protectedTexts(values)))
}

describe('a protected value', () => {
  const password = 'horse/battery "1"'

  test.each([
    ['login horse/battery "1" failed', 'login [protected] failed'],
    ['https://a.example/?p=horse%2Fbattery%20%221%22&q', 'https://a.example/?p=[protected]&q'],
    ['https://a.example/?p=horse%2fbattery%20%221%22&q', 'https://a.example/?p=[protected]&q'],
    ['p=horse%2Fbattery+%221%22&q', 'p=[protected]&q'],
    ['{"password":"horse/battery \\"1\\""}', '{"password":"[protected]"}'],
    ['aG9yc2UvYmF0dGVyeSAiMSI=', '[protected]I='],
    ['Basic MTAwMTpob3JzZS9iYXR0ZXJ5ICIxIg==', 'Basic MTAwMTp[protected]g=='],
  ])('is removed from %s', (said, shown) => {
    expect(without({ items: [said] }, password)).toEqual({ items: [shown] })
  })

  test('in base64 is removed wherever it appears', () => {
    const text = fc.string({ minLength: 6, maxLength: 40, unit: 'grapheme' })
    fc.assert(
      fc.property(fc.string(), text, fc.string(), (before, value, after) => {
        fc.pre(value.isWellFormed())
        const code = Buffer.from(before + value + after).toString('base64')
        expect(without(code, value)).toContain('[protected]')
      }),
    )
  })

  test('is not removed if it is public or too short', () => {
    expect(without('account 100100 of oak', 'oak')).toBe('account 100100 of oak')
  })

  test('is removed at every occurrence', () => {
    const text = fc.string({ minLength: 6, maxLength: 12, unit: fc.constantFrom('a', 'b') })
    fc.assert(
      fc.property(text, fc.array(fc.constantFrom('a', 'b', 'ab', 'bba')), (value, parts) => {
        const said = [...parts, value, ...parts].join('')
        expect(without(said, value)).toBe(said.replaceAll(value, '[protected]'))
      }),
    )
  })

  test('is encoded in short steps, two for its forms in URLs and one for each other', () => {
    const values = Array.from({ length: 31 }, (_, at) => '^'.repeat(65_500) + at)
    const encoding = protectedTexts(values)
    let count = 0
    let step = encoding.next()
    for (; !step.done; step = encoding.next()) count++
    expect(count).toBe(5 * values.length)
    expect(step.value).toContain(`${'%5e'.repeat(65_500)}0`)
  })

  test('is removed just as fast if it is made hard to find', () => {
    const value = `aab${'a'.repeat(30_000)}`
    const began = process.threadCpuUsage()
    expect(without('a'.repeat(1_000_000), value)).toBe('a'.repeat(1_000_000))
    const { user, system } = process.threadCpuUsage(began)
    expect((user + system) / 1_000).toBeLessThan(2_000)
  })
})
