import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readConfig, signInOf } from '../../src/config.ts'
import { StartupFailure } from '../../src/errors.ts'
import { proxiesOf } from '../../src/http/client-address.ts'
import { parseAllowlist } from '../../src/platform/outbound/allowlist.ts'
import { s3Address } from '../../src/platform/s3-address.ts'
import { createSecrets } from '../../src/platform/secrets.ts'
import { signInSettings } from '../../src/sign-in/settings.ts'

/** An invalid value of each setting, and the message for it. */
const WRONG: Record<string, [value: string, sentence: string][]> = {
  PORT: [
    ['http', 'PORT must be a whole number from 0 to 65535.'],
    ['65536', 'PORT must be a whole number from 0 to 65535.'],
    ['80.5', 'PORT must be a whole number from 0 to 65535.'],
  ],
  PUBLIC_URL: [
    ['shop.example', 'PUBLIC_URL must be a URL such as https://shop.example.'],
    ['ftp://shop.example', 'PUBLIC_URL must be a URL such as https://shop.example.'],
  ],
  ELASTICSEARCH_URL: [
    ...['es:9200', 'https://one.example:9200,es:9200', 'https://one.example:9200,'].map(
      (value): [string, string] => [
        value,
        'ELASTICSEARCH_URL must be a URL such as https://elastic.example:9200, or up to 20 separated by commas.',
      ],
    ),
  ],
  INDEX_PREFIX: [
    [
      'Aisle_1',
      'INDEX_PREFIX must be up to 41 lower-case letters, digits and hyphens, and begin with a letter.',
    ],
  ],
  INDEX_SHARDS: [['0', 'INDEX_SHARDS must be a whole number from 1 to 64.']],
  INDEX_REPLICAS: [['all', 'INDEX_REPLICAS must be a whole number from 0 to 5.']],
  SMTP_URL: [['mail.example', 'SMTP_URL must be a URL such as smtps://mail.example.']],
  MAIL_FROM: [['shop', 'MAIL_FROM must be an email address such as catalog@shop.example.']],
  BOOTSTRAP_API_KEY: [['short', 'BOOTSTRAP_API_KEY must have 32 to 256 characters.']],
  DEMO: [['yes', 'DEMO must be on or off.']],
  MCP: [['yes', 'MCP must be on or off.']],
  LOG_LEVEL: [['all', 'LOG_LEVEL must be one of trace, debug, info, warn, error, silent.']],
  RETENTION_MONTHS: [
    [
      'long',
      'RETENTION_MONTHS must be the months for all logs, for single logs, or both, as in 13,history=3.',
    ],
  ],
  TRUSTED_PROXIES: [
    ['proxy', 'TRUSTED_PROXIES: proxy is not an address or a network such as 10.0.0.0/8.'],
    [
      '10.0.0.0/8,::1/129',
      'TRUSTED_PROXIES: ::1/129 is not an address or a network such as 10.0.0.0/8.',
    ],
  ],
  RATE_BY_ADDRESS: [['-1', 'RATE_BY_ADDRESS must be a whole number from 0 to 1000000.']],
  RATE_BY_KEY: [['many', 'RATE_BY_KEY must be a whole number from 0 to 1000000.']],
  REQUEST_PLACES: [['7', 'REQUEST_PLACES must be a whole number from 8 to 10000.']],
  SEARCH_CACHE_MIB: [['-1', 'SEARCH_CACHE_MIB must be a whole number from 0 to 4096.']],
  SLOW_SEARCH_MS: [['-1', 'SLOW_SEARCH_MS must be a whole number from 0 to 60000.']],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    ['collector:4318', 'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://collector:4318.'],
  ],
  OTEL_TRACES_SAMPLER_ARG: [['2', 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.']],
  ENCRYPTION_KEY: [
    [
      'short',
      'ENCRYPTION_KEY: each key must be 32 bytes as base64 or hex; generate one with openssl rand -base64 32.',
    ],
  ],
  FILES_URL: [
    [
      '/files',
      'FILES_URL must begin with s3://, as in s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1.',
    ],
  ],
  OIDC_ISSUER: [
    [
      'login.example',
      'OIDC_ISSUER: login.example is not a URL such as https://login.example/realms/shop.',
    ],
  ],
  OIDC_ROLES: ['staff=acme:owner', 'staff=Acme:editor', '=operator', 'operator'].map((entry) => [
    entry,
    `OIDC_ROLES: ${entry} is not value=organization:role, with one of viewer, editor, administrator, and not value=operator.`,
  ]),
  OIDC_SCOPE: [['email', 'OIDC_SCOPE must contain openid, as in "openid profile email".']],
  OIDC_USERS: [
    [
      'all',
      'OIDC_USERS must be create (anyone with a role becomes a user), email (users whose name is their verified email address), or email,create.',
    ],
  ],
  OUTBOUND_ALLOW: [
    [
      'http://erp',
      'OUTBOUND_ALLOW: http://erp is not a host name, host:port or network such as 10.0.0.0/8.',
    ],
  ],
}
/** Settings that accept any text; an error shows only when they are used. */
const ANY_TEXT = [
  ...['HOST', 'DATA_DIR', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  ...['API_KEY', 'USERNAME', 'PASSWORD', 'CA', 'IMAGE'].map((name) => `ELASTICSEARCH_${name}`),
  ...['OIDC_AUDIENCE', 'OIDC_CLIENT_ID', 'OIDC_ROLES_CLAIM'],
  ...['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_SERVICE_NAME'],
]

/** Settings of sign-in that are required to test the others. */
const SIGN_IN = {
  OIDC_ISSUER: 'https://login.example',
  OIDC_CLIENT_ID: 'aisle',
  OIDC_USERS: 'create',
}

describe('an invalid value', () => {
  /** Reads settings as main.ts does, and parses each where it is used. */
  const start = (environment: Record<string, string>) => {
    const { ENCRYPTION_KEY, FILES_URL, OUTBOUND_ALLOW, TRUSTED_PROXIES } = readConfig(environment)
    if (TRUSTED_PROXIES) proxiesOf(TRUSTED_PROXIES)
    if (ENCRYPTION_KEY) createSecrets(ENCRYPTION_KEY)
    if (FILES_URL) s3Address(FILES_URL)
    if (OUTBOUND_ALLOW) parseAllowlist(OUTBOUND_ALLOW)
    signInSettings(signInOf(readConfig({ ...SIGN_IN, ...environment })))
  }

  test.each(
    Object.entries(WRONG).flatMap(([name, rows]) => rows.map((row) => [name, ...row] as const)),
  )('of %s, %o, is refused with advice', (name, value, sentence) => {
    expect(() => start({ [name]: value })).toThrow(new StartupFailure(sentence))
  })

  test('is tested for every setting', () => {
    const text = readFileSync('src/config.ts', 'utf8')
    const settings = [...text.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name)
    expect([...Object.keys(WRONG), ...ANY_TEXT].toSorted()).toEqual(settings.toSorted())
  })

  test('counts as absent if it is empty', () => {
    const empty = Object.fromEntries(Object.keys(WRONG).map((name) => [name, '']))
    expect(readConfig(empty)).toEqual(readConfig({}))
  })
})

test('docker-compose.yml passes every setting on, except those that it sets', () => {
  const lines = readFileSync('docker-compose.yml', 'utf8').split(/^ {2}aisle:$/m)[1]!
  const passed = [...lines.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name)
  const own = ['PORT', 'HOST', 'DATA_DIR', 'API_KEY', 'USERNAME', 'PASSWORD', 'CA', 'IMAGE']
  const settings = [...Object.keys(WRONG), ...ANY_TEXT].filter(
    (name) => !own.includes(name.replace('ELASTICSEARCH_', '')),
  )
  expect(passed.toSorted()).toEqual([...settings].toSorted())
})

describe('RETENTION_MONTHS', () => {
  const read = (text: string) => readConfig({ RETENTION_MONTHS: text }).RETENTION_MONTHS

  test.each([
    ['', { months: 13, kinds: {} }],
    ['24', { months: 24, kinds: {} }],
    ['history=3,changes=24', { months: 13, kinds: { history: 3, changes: 24 } }],
    [' 6 , history = 3 ', { months: 6, kinds: { history: 3 } }],
  ])('%o', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  test.each(['0', '-1', '1.5', 'x', '13,', 'history=', '=3', 'history=0', '1201', '3 4'])(
    '%o is refused',
    (text) => {
      expect(() => read(text)).toThrow(
        'RETENTION_MONTHS must be the months for all logs, for single logs, or both, as in 13,history=3.',
      )
    },
  )
})
