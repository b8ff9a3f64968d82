import { describe, expect, test } from 'vitest'
import { commandOf, parseLine } from '../../client/src/cli/arguments.ts'
import { UsageError } from '../../client/src/cli/command.ts'
import { commands } from '../../client/src/cli/commands.ts'
import { plainUrl, targetOf } from '../../client/src/cli/connection.ts'
import { columns, oneLine } from '../../client/src/cli/output.ts'
import { duration, progressLine } from '../../client/src/cli/progress.ts'
import { requestOf } from '../../client/src/cli/search.ts'

const parse = (...line: string[]) => parseLine(commandOf(commands, line)!, line)

describe('a command line', () => {
  test('names its command with one or two words', () => {
    expect(parse('products', 'get', 'a', 'b').command.name).toBe('products get')
    expect(parse('search', 'get', 'a')).toMatchObject({
      command: { name: 'search' },
      operands: ['get', 'a'],
    })
    expect(commandOf(commands, ['products'])).toBeUndefined()
    expect(commandOf(commands, ['constructor'])).toBeUndefined()
  })

  test('can ask for help, whatever else is missing', () => {
    expect(parse('products', 'get', '--help').values).toMatchObject({ help: true })
    expect(parse('tasks', 'cancel', '-h').values).toMatchObject({ help: true })
  })

  test.each([
    [['products', 'get'], 'Missing ID....'],
    [['tasks', 'wait', 'a', 'b'], 'Unexpected b: the command takes ID.'],
    [['import', 'a.csv', '--catalogue', 'c'], "Unknown option '--catalogue'"],
    [['search', '--page'], "Option '--page <value>' argument missing"],
  ])('%j is refused with one line', (line, message) => {
    expect(() => parse(...line)).toThrow(new UsageError(message))
  })
})

test('a search is built from its options', () => {
  const { operands, values } = parse(
    ...['search', 'cordless', 'drill', '--facet', 'Voltage=18 V', '--facet', 'A=B=C'],
    ...['--max-price', '90.5', '--in-stock', '--vendor', 'V', '--sort=-price', '--facets'],
    ...['--price-list', 'wholesale'],
  )
  expect(requestOf(operands, 'tools', values as never)).toEqual({
    catalog: 'tools',
    keywords: 'cordless drill',
    must: [
      { type: 'facet', name: 'Voltage', value: '18 V' },
      { type: 'facet', name: 'A', value: 'B=C' },
    ],
    highPrice: 90.5,
    inStock: true,
    vendors: ['V'],
    priceList: 'wholesale',
    sort: '-price',
    counts: true,
  })
  expect(() => requestOf([], 'c', { page: 'x' })).toThrow(
    new UsageError('--page x is not a number.'),
  )
  expect(() => requestOf([], 'c', { facet: ['x'] })).toThrow(UsageError)
})

describe('the service that is called', () => {
  const shop = { url: 'https://shop.example', key: 'shop-key', organization: 'o', catalog: 'c' }
  const profiles = {
    current: 'shop',
    profiles: { shop, other: { url: 'http://o', key: 'other-key' } },
  }
  const of = (wanted: object, environment = {}) => targetOf(wanted, environment, profiles)

  test('comes from options, then the environment, then the profile', () => {
    expect(of({})).toEqual({
      connection: { url: 'https://shop.example', key: 'shop-key', organization: 'o' },
      catalog: 'c',
    })
    const environment = { AISLE_PROFILE: 'other', AISLE_ORGANIZATION: 'e' }
    expect(of({}, environment).connection).toEqual({
      url: 'http://o',
      key: 'other-key',
      organization: 'e',
    })
    expect(of({ profile: 'shop', key: 'mine' }, environment).connection.key).toBe('mine')
    expect(targetOf({}, { AISLE_API_KEY: 'k' }, { profiles: {} }).connection.url).toBe(
      'http://127.0.0.1:3000',
    )
  })

  test('gets a profile’s key only at the profile’s address', () => {
    expect(() => of({ url: 'https://evil.example' })).toThrow('Set AISLE_API_KEY')
    expect(() => of({}, { AISLE_URL: 'http://shop.example' })).toThrow('Set AISLE_API_KEY')
    expect(of({ url: 'https://shop.example/' }).connection.key).toBe('shop-key')
  })

  test('is not called with a key that cannot be sent', () => {
    expect(() => of({ key: 'schlüssel' })).toThrow('The key contains spaces or')
  })

  test('has no key in its address, and an existing profile', () => {
    expect(() => plainUrl('https://a:b@shop.example')).toThrow('must not contain a user name')
    expect(() => plainUrl('https://shop.example/?key=b')).toThrow('must not contain a user name')
    expect(() => plainUrl('nowhere')).toThrow('--url nowhere is not a URL.')
    for (const profile of ['none', 'constructor', '__proto__']) {
      expect(() => of({ profile })).toThrow(`Profile ${profile}`)
    }
  })
})

test('output of the service cannot control the terminal', () => {
  expect(oneLine('a\u001b[2Jb\r\nc\u202e')).toBe('a [2Jb c ')
  expect(
    columns(
      ['id', 'name'],
      [
        ['1', 'x\u0007'],
        ['20', null],
      ],
    ),
  ).toEqual(['id  name', '1   x', '20  -'])
})

describe('progress', () => {
  test('shows the completed part, the rate and the remaining time', () => {
    expect(progressLine({ part: 0.5, count: 10_400, unit: 'rows', elapsedMs: 5_000 })).toBe(
      '[############------------]   50 %  10,400 rows  2,080 rows/s  5 s left',
    )
    expect(progressLine({ part: 0, count: 0, unit: 'rows', elapsedMs: 10 })).toBe(
      '[------------------------]    0 %  0 rows',
    )
    expect(progressLine({ part: 1, count: 7, unit: 'MiB', elapsedMs: 2_000 })).toBe(
      '[########################]  100 %  7 MiB  4 MiB/s',
    )
  })

  test('formats durations for people', () => {
    expect([400, 59_000, 125_000, 3_780_000].map(duration)).toEqual([
      '1 s',
      '59 s',
      '2 min 05 s',
      '1 h 03 min',
    ])
  })
})
