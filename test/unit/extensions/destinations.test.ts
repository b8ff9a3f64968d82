import { expect, test } from 'vitest'
import {
  destinationsOf,
  originOf,
  unapprovedDestinations,
} from '../../../src/extensions/destinations.ts'

test.each([
  ['https://Files.example/a?b', 'https://files.example'],
  ['https://files.example:443/', 'https://files.example'],
  [' http://files.example:8080/a', 'http://files.example:8080'],
  ['sftp://files.example/a', 'sftp://files.example'],
  ['https:files.example/a', 'https://files.example'],
  ['https:\\\\files.example', 'https://files.example'],
  ['https://user:word@files.example/', 'https://files.example'],
  ['files.example', undefined],
  ['mailto:ada@files.example', undefined],
  ['https://', undefined],
  ['', undefined],
])('the origin of %j', (text, origin) => {
  expect(originOf(text)).toBe(origin)
})

test('values go to their extension and the addresses among them', () => {
  const clear = { shop: 'https://shop.example/a', page: 'https://shop.example/b', account: '12' }
  expect(destinationsOf({ origin: 'https://oakvale.example' }, clear)).toEqual([
    'https://oakvale.example',
    'https://shop.example',
  ])
  expect(destinationsOf({}, { account: '12' })).toEqual([])
})

test('a value goes to fewer destinations than it was entered for, and to no others', () => {
  expect(unapprovedDestinations(['a', 'b'], ['b'])).toEqual([])
  expect(unapprovedDestinations(['a'], ['a', 'c'])).toEqual(['c'])
})
