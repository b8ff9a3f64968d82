import { describe, expect, test } from 'vitest'
import { requestKeys } from '../../src/http/request-keys.ts'
import { revisionOf, withRevisionPrefix } from '../../src/http/revision.ts'

const headers = (entries: Record<string, string>) => new Headers(entries)
const request = (path: string, entries: Record<string, string>) =>
  new Request(`http://localhost${path}`, { headers: entries })

describe('the revision', () => {
  test('comes from the header or a media type parameter', () => {
    expect(revisionOf(headers({ 'x-api-version': '6.0' }))).toBe('6.0')
    expect(revisionOf(headers({ accept: 'application/json; x-api-version=1.0' }))).toBe('1.0')
    expect(revisionOf(headers({ 'content-type': 'application/json;x-api-version="6.0"' }))).toBe(
      '6.0',
    )
  })

  test('is refused with the supported ones if it is missing, unknown or contradictory', () => {
    expect(() => revisionOf(headers({}))).toThrow('Supported versions: 1.0, 6.0.')
    expect(() => revisionOf(headers({ 'x-api-version': '7.0' }))).toThrow('7.0 is not supported')
    expect(() =>
      revisionOf(headers({ 'x-api-version': '6.0', accept: 'text/json; x-api-version=1.0' })),
    ).toThrow('two versions, 6.0 and 1.0')
    const accept = 'application/json; x-api-version=6.0, application/json; x-api-version=1.0'
    expect(() => revisionOf(headers({ accept }))).toThrow('two versions, 6.0 and 1.0')
  })

  test('is determined before routing, from known values only', () => {
    const never = () => false
    const keys = requestKeys([])
    expect(withRevisionPrefix(request('/api/x?y=1', { 'x-api-version': '1.0' }), never, keys)).toBe(
      '/1.0/api/x',
    )
    expect(withRevisionPrefix(request('/api/x', { 'x-api-version': '6.0/api' }), never, keys)).toBe(
      '/unversioned/api/x',
    )
    expect(withRevisionPrefix(request('/api/status', {}), () => true, keys)).toBe('/api/status')
  })
})
