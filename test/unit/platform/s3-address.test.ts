import { expect, test } from 'vitest'
import { StartupFailure } from '../../../src/errors.ts'
import { s3Address } from '../../../src/platform/s3-address.ts'

const aws = 'https://s3.us-east-1.amazonaws.com'

test.each([
  ['s3://files', { bucket: 'files', prefix: '', endpoint: aws, region: 'us-east-1' }],
  [
    's3://files/aisle/one/?region=eu-central-1',
    {
      bucket: 'files',
      prefix: 'aisle/one',
      endpoint: 'https://s3.eu-central-1.amazonaws.com',
      region: 'eu-central-1',
    },
  ],
  [
    's3://my.files?endpoint=http://10.0.0.1:9000/&region=garage',
    { bucket: 'my.files', prefix: '', endpoint: 'http://10.0.0.1:9000', region: 'garage' },
  ],
])('%s', (text, address) => {
  expect(s3Address(text)).toEqual(address)
})

test.each([
  ['/var/files', 'must begin with s3://'],
  ['https://s3.example.com/files', 'must begin with s3://'],
  ['s3://', 'must name a bucket'],
  ['s3://Files!', 'must name a bucket'],
  ['s3://key:secret@files', 'must not contain credentials'],
  ['s3://files/a//b', 'letters, digits'],
  ['s3://files/a%2Fb', 'letters, digits'],
  ['s3://files?endpoint=s3.example.com', 'endpoint such as'],
  ['s3://files?endpoint=https://a:b@s3.example.com', 'endpoint such as'],
  ['s3://files?endpoint=https://s3.example.com/path', 'endpoint such as'],
  ['s3://files?endpont=https://s3.example.com', 'has an unknown parameter endpont'],
  ['s3://files?region=Moon!', 'region'],
])('refuses %s', (text, words) => {
  expect(() => s3Address(text)).toThrow(StartupFailure)
  expect(() => s3Address(text)).toThrow(words)
  expect(() => s3Address(text)).not.toThrow('secret')
})
