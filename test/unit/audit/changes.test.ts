import { describe, expect, test } from 'vitest'
import { changesBetween } from '../../../src/audit/changes.ts'
import { limits } from '../../../src/limits.ts'
import { atOnce } from '../../../src/platform/steps.ts'

const of = (before: object | undefined, after: object | undefined, told: string[] = []) =>
  atOnce(changesBetween(before, after, told)).changes

describe('the changes in an audit entry', () => {
  test('list each field that differs, with values of those that may be shown', () => {
    const before = { role: 'viewer', firstName: null, lastName: 'Byron', id: 'ada' }
    const after = { role: 'administrator', firstName: 'Ada', lastName: '', id: 'ada' }
    expect(of(before, after, ['role'])).toEqual([
      { field: 'role', from: 'viewer', to: 'administrator' },
      { field: 'firstName' },
      { field: 'lastName' },
    ])
  })

  test('include nested objects, and lists by the names of their entries', () => {
    const before = {
      ranking: { fields: { name: 1, text: 1 } },
      rules: [
        { name: 'Black Friday', enabled: true },
        { name: 'Old', enabled: true },
      ],
    }
    const after = {
      ranking: { fields: { name: 2, text: 1 } },
      rules: [
        { name: 'New', enabled: true },
        { name: 'Black Friday', enabled: false },
      ],
    }
    expect(of(before, after, ['ranking', 'rules'])).toEqual([
      { field: 'ranking.fields.name', from: '1', to: '2' },
      { field: 'rules[Black Friday].enabled', from: 'true', to: 'false' },
      { field: 'rules[Old]', from: '{"name":"Old","enabled":true}', to: null },
      { field: 'rules[New]', from: null, to: '{"name":"New","enabled":true}' },
    ])
  })

  test('report if only the order of a list changed', () => {
    const [a, b] = [{ name: 'a' }, { name: 'b' }]
    expect(of({ rules: [a, b] }, { rules: [b, a] })).toEqual([{ field: 'rules (order)' }])
  })

  test('have only the names of hidden fields, also if these are new or removed', () => {
    const values = { additionalData: { password: 'sealed', user: 'ada' } }
    const names = [{ field: 'additionalData.password' }, { field: 'additionalData.user' }]
    expect(of(undefined, values, ['enabled'])).toEqual(names)
    expect(of(values, undefined, ['enabled'])).toEqual(names)
  })

  test('omit what is empty before and after', () => {
    expect(of({ a: null, b: [], c: '' }, { b: {}, d: undefined })).toEqual([])
  })

  test('are limited in size, whatever a tenant stores', () => {
    const names = Array.from({ length: 200 }, (_, at) => `${'n'.repeat(300)}${at}`)
    const after = Object.fromEntries(names.map((name) => [name, 'v'.repeat(5_000)]))
    const { changes, more } = atOnce(changesBetween({}, after, names))
    expect([changes.length, more]).toEqual([limits.auditFields, 200 - limits.auditFields])
    for (const { field, to } of changes) expect([field.length, to!.length]).toEqual([200, 200])
    const long = { origins: Array.from({ length: 90 }, (_, at) => `https://shop-${at}.example`) }
    expect(of({}, long, ['origins'])).toEqual([{ field: 'origins', from: null, to: '90 entries' }])
    const odd = JSON.parse('{"__proto__": {"a": 1}, "constructor": "x"}')
    expect(of({}, odd)).toEqual([{ field: '__proto__.a' }, { field: 'constructor' }])
  })
})
