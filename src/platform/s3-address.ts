import { StartupFailure } from '../errors.ts'
import { parseUrl } from './parse-url.ts'

/** The location of files in an S3-compatible store. */
export interface S3Address {
  readonly bucket: string
  /** The prefix of every key, without a slash at its end; empty for the whole bucket. */
  readonly prefix: string
  readonly endpoint: string
  readonly region: string
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^[A-Za-z0-9_][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/
const REGION = /^[a-z0-9-]{1,64}$/

/**
 * Parses `s3://bucket/prefix?endpoint=…&region=…`. Throws StartupFailure that explains the format.
 */
export function s3Address(text: string): S3Address {
  const url = parseUrl(text)
  if (url?.protocol !== 's3:') throw wrong('must begin with s3://')
  if (url.username || url.password) {
    throw wrong('must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  }
  const unknown = [...url.searchParams.keys()].find((key) => !['endpoint', 'region'].includes(key))
  if (unknown !== undefined) throw wrong(`has an unknown parameter ${unknown}`)
  const parts = url.pathname.split('/')
  const [first, last] = [parts.findIndex(Boolean), parts.findLastIndex(Boolean)]
  const prefix = parts.slice(first, last + 1).join('/')
  if (!BUCKET.test(url.host)) throw wrong('must name a bucket')
  if (prefix !== '' && !PREFIX.test(prefix)) {
    throw wrong('must have only letters, digits, ., _ and - in its path')
  }
  const region = url.searchParams.get('region') || 'us-east-1'
  if (!REGION.test(region)) throw wrong('has an invalid region')
  const endpoint = url.searchParams.get('endpoint') || `https://s3.${region}.amazonaws.com`
  return { bucket: url.host, prefix, endpoint: originOf(endpoint), region }
}

function originOf(endpoint: string): string {
  const url = parseUrl(endpoint)
  const isPlain = url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/'
  if (!isPlain || url.search || url.username || url.password) {
    throw wrong('must have an endpoint such as https://s3.example.com')
  }
  return url.origin
}

const wrong = (what: string) =>
  new StartupFailure(
    `FILES_URL ${what}, as in s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1.`,
  )
