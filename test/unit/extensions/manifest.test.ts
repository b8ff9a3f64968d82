import { describe, expect, test } from 'vitest'
import { readManifest } from '../../../src/extensions/manifest.ts'

const ADDRESS = 'https://vendor.example/aisle/manifest.json?v=2'
const least = { id: 'oakvale-stock', kind: 'realtime', name: 'Oakvale', calls: ['run'] }

const read = (document: unknown) =>
  readManifest(
    Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)),
    ADDRESS,
  )

const problem = (document: unknown) => {
  try {
    read(document)
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}

test('a manifest can omit everything but id, kind, name and calls', () => {
  expect(read(least)).toEqual({
    url: 'https://vendor.example/aisle',
    manifest: {
      id: 'oakvale-stock',
      kind: 'realtime',
      name: 'Oakvale',
      description: null,
      image: null,
      configUrl: null,
      fields: [],
      calls: ['run'],
      noStore: false,
      mapToVendor: false,
      allowAdHocItems: false,
    },
  })
})

test('its calls are relative to its base URL', () => {
  expect(read({ ...least, url: 'https://api.vendor.example/v1/' }).url).toBe(
    'https://api.vendor.example/v1',
  )
})

test('a field is required and text by default', () => {
  const { manifest } = read({ ...least, fields: [{ field: 'account' }] })
  expect(manifest.fields[0]).toMatchObject({
    field: 'account',
    protected: false,
    optional: false,
    defaultValue: null,
    optionsFields: [],
  })
})

const nested = (depth: number): unknown => (depth === 0 ? 'x' : { deeper: nested(depth - 1) })

describe('is refused with the path', () => {
  test.each<[string, unknown, string]>([
    ['no JSON', '<html>', 'manifest: not valid JSON'],
    ['half of it', '{"id": "a"', 'manifest: not valid JSON'],
    ['a list', [], 'manifest: expected object, received array'],
    ['null', 'null', 'manifest: expected object, received null'],
    ['without id', { ...least, id: undefined }, 'manifest.id: required'],
    ['an id with a slash', { ...least, id: 'a/b' }, 'manifest.id: must have 1 to 64'],
    ['an id that vanishes from paths', { ...least, id: '..' }, 'manifest.id: must have 1 to 64'],
    ['another kind', { ...least, kind: 'magic' }, 'manifest.kind: must be one of import, export'],
    ['an empty name', { ...least, name: ' ' }, 'manifest.name: '],
    ['without calls', { ...least, calls: [] }, 'manifest.calls: '],
    ['without run', { ...least, calls: ['validate'] }, 'manifest.calls: must contain run'],
    ['an unknown call', { ...least, calls: ['run', 'rm'] }, 'manifest.calls[1]: must be one of'],
    [
      'a call of another kind',
      { ...least, calls: ['run', 'links'] },
      'manifest.calls[1]: links is only for extensions of kind export',
    ],
    [
      'an unknown field type',
      { ...least, fields: [{ field: 'a', fieldType: 'color' }] },
      'manifest.fields[0].fieldType: must be one of text, textarea, password, select, checkbox',
    ],
    [
      'an unknown data type',
      { ...least, fields: [{ field: 'a', dataType: 'int' }] },
      'manifest.fields[0].dataType: must be one of string, number, boolean, url, date',
    ],
    [
      'a default of another type',
      { ...least, fields: [{ field: 'a', dataType: 'url', defaultValue: 'javascript:1' }] },
      'manifest.fields[0].defaultValue: must be an http or https URL',
    ],
    [
      'more than is known',
      { ...least, evil: 1 },
      'manifest.evil: unknown field; known: id, kind, name',
    ],
    [
      'more than is known of a field',
      { ...least, fields: [{ field: 'a', onclick: 'x' }] },
      'manifest.fields[0].onclick: unknown field; known: field',
    ],
    ['a field without name', { ...least, fields: [{}] }, 'manifest.fields[0].field: '],
    [
      'a field twice',
      { ...least, fields: [{ field: 'a' }, { field: 'a' }] },
      'manifest.fields[1].field: a is listed twice',
    ],
    [
      'options that nobody tells',
      { ...least, fields: [{ field: 'a', hasOptions: true }] },
      'manifest.fields[0].hasOptions: calls does not contain options',
    ],
    [
      'too many fields',
      { ...least, fields: Array.from({ length: 101 }, (_, at) => ({ field: `f${at}` })) },
      'manifest.fields: ',
    ],
    ['a long name', { ...least, name: 'x'.repeat(201) }, 'manifest.name: '],
    [
      'a link that a browser would run',
      { ...least, configUrl: 'javascript:alert(1)' },
      'manifest.configUrl: must be an http or https URL',
    ],
    [
      'a link with a long host',
      { ...least, configUrl: `https://${'\u4e00'.repeat(1_500)}/` },
      'manifest.configUrl: the host name is too long',
    ],
    [
      'calls by another protocol',
      { ...least, url: 'file:///etc' },
      'manifest.url: must be an http',
    ],
    [
      'calls with a query',
      { ...least, url: 'https://a.example/?x' },
      'manifest.url: must not contain ?',
    ],
    ['deep nesting', { ...least, fields: [nested(40)] }, 'nested deeper than 32'],
    [
      '__proto__',
      '{"id":"a","kind":"realtime","name":"b","calls":["run"],"__proto__":{}}',
      'manifest: __proto__ is not allowed as a name',
    ],
  ])('%s', (_, document, text) => expect(problem(document)).toContain(text))
})
