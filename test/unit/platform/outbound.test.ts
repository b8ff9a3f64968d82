import { describe, expect, test } from 'vitest'
import { Invalid, StartupFailure } from '../../../src/errors.ts'
import { isPublic } from '../../../src/platform/outbound/addresses.ts'
import { createOutbound } from '../../../src/platform/outbound/outbound.ts'
import { INSIDE, INSIDE_ADDRESSES, OUTSIDE } from '../../outbound/spellings.ts'

const { check } = createOutbound({})
const refusal = (url: string, outbound = createOutbound({})): string | null => {
  try {
    outbound.check(url, 'fileUrl')
    return null
  } catch (error) {
    expect(error).toBeInstanceOf(Invalid)
    return (error as Error).message
  }
}

describe('an address as text', () => {
  test.each([
    ['', 'fileUrl: must be a URL such as https://files.example.com/list.csv'],
    ['example.com/list.csv', 'fileUrl: must be a URL such as https://files.example.com/list.csv'],
    ['file:///etc/passwd', 'fileUrl: must begin with https:// or http://'],
    ['ftp://example.com/a', 'fileUrl: must begin with https:// or http://'],
    ['data:text/csv,a', 'fileUrl: must begin with https:// or http://'],
    ['gopher://example.com:80/', 'fileUrl: must begin with https:// or http://'],
    ['https://u:p@example.com/', 'fileUrl: must not contain a user name or password'],
    ['https://u@example.com/', 'fileUrl: must not contain a user name or password'],
    ['https://example.com:9200/', 'fileUrl: must use port 80 or 443'],
    ['http://example.com:22/', 'fileUrl: must use port 80 or 443'],
    [`https://example.com/${'a'.repeat(2_000)}`, 'fileUrl: at most 2000 characters'],
    [
      'http://127.0.0.1/',
      'fileUrl: leads to an address that is only allowed if OUTBOUND_ALLOW lists it',
    ],
  ])('%s: %s', (url, message) => {
    expect(refusal(url)).toBe(message)
  })

  test('more than a hundred spellings of internal addresses are refused', () => {
    expect(INSIDE.length).toBeGreaterThan(120)
    expect(INSIDE.filter((host) => refusal(`http://${host}/`) === null)).toEqual([])
    expect(INSIDE.filter((host) => refusal(`https://${host}/`) === null)).toEqual([])
  })

  test('public addresses are allowed', () => {
    for (const host of OUTSIDE)
      expect(() => check(`https://${host}/a?b#c`, 'fileUrl')).not.toThrow()
    check('http://example.com:443/', 'fileUrl')
    check('https://example.com:80/', 'fileUrl')
  })

  test('addresses for names', () => {
    expect(INSIDE_ADDRESSES.filter(isPublic)).toEqual([])
    const fine = ['8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '::ffff:8.8.8.8']
    expect(fine.filter(isPublic)).toEqual(fine)
    expect(['', 'example.com', '1.2.3.4.5', '::g'].filter(isPublic)).toEqual([])
  })
})

describe('OUTBOUND_ALLOW', () => {
  const opened = (allow: string, urls: readonly string[]) => {
    const outbound = createOutbound({ allow })
    return urls.filter((url) => refusal(url, outbound) === null)
  }

  test('with a host allows all its ports, and nothing else', () => {
    const fine = ['http://erp:8080/', 'https://ERP./', 'http://erp/']
    expect(opened('erp', [...fine, 'http://erp.corp.local/', 'http://xerp/'])).toEqual(fine)
  })

  test('with a host and a port allows that port', () => {
    const fine = ['http://localhost:8080/', 'http://[::1]:81/', 'http://0x7f.1:82/']
    expect(
      opened('localhost:8080, [::1]:81,127.0.0.1:82', [
        ...fine,
        'http://localhost/',
        'http://[::1]/',
        'http://127.0.0.1/',
      ]),
    ).toEqual(fine)
  })

  test('with a network allows its addresses with all ports', () => {
    const fine = ['http://10.1.2.3:9000/', 'http://[fd00::7]/', 'http://192.168.7.7/']
    expect(
      opened('10.0.0.0/8,fd00::/16,192.168.7.7', [
        ...fine,
        'http://11.1.2.3:9000/',
        'http://[fd01::7]/',
        'http://192.168.7.8/',
        'http://127.0.0.1/',
      ]),
    ).toEqual(fine)
  })

  test.each(['http://erp', 'erp:0', 'erp:70000', 'a b', '10.0.0.0/99', '*.corp', 'erp/x'])(
    'is refused at start with %s',
    (allow) => {
      expect(() => createOutbound({ allow })).toThrow(StartupFailure)
    },
  )
})
