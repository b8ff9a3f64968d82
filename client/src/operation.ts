import type { CallOptions, Connection } from './connection.ts'
import { readJson, readText, type SentRequest, send } from './send.ts'
import type { Operation, OperationId, Upload } from './types.ts'

/** What is to be known of an operation besides its place. */
interface Facts {
  /** What is sent: the fields that are neither in path nor in query, or `body` as it is. */
  readonly body?: 'json' | 'stream'
  /** JSON when absent. */
  readonly answer?: 'text' | 'bytes'
  /** Doing it twice does no more than doing it once. */
  readonly repeatable?: boolean
  /** It heeds an Idempotency-Key. */
  readonly keyed?: boolean
}

type Given = Readonly<Record<string, unknown>>

/** One operation by its place, as `GET api/Catalog/{catalog}/products/{id}?includeVendorDetails`. */
export function operation<Id extends OperationId>(place: string, facts: Facts = {}): Operation<Id> {
  const call = async (
    connection: Connection,
    input: Given = {},
    options: CallOptions = {},
  ): Promise<unknown> => {
    const { signal } = options
    const response = await send(connection, requestOf(place, facts, input, options), options)
    if (facts.answer === 'bytes') return response
    const isTable = response.headers.get('content-type')?.startsWith('text/csv')
    return facts.answer === 'text' || isTable
      ? readText(response, signal)
      : readJson(response, signal)
  }
  return call as Operation<Id>
}

function requestOf(place: string, facts: Facts, input: Given, options: CallOptions): SentRequest {
  const [method, path, query] = place.split(/[ ?]/) as [string, string, string?]
  const { body: kind, keyed } = facts
  const named = new Set(query?.split('&') ?? [])
  const used = new Set<string>()
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    used.add(name)
    return encodeURIComponent(textOf(input[name], name))
  })
  const address = queryOf(input, named)
  for (const name of named) used.add(name)
  if (kind === 'stream') used.add('body')
  const rest = Object.entries(input).filter(([name]) => !used.has(name))
  if (kind !== 'json') refuseUnknown(rest, [...used])
  const { ifMatch, idempotencyKey = keyed ? newKey() : undefined } = options
  return {
    method,
    path: address === '' ? filled : `${filled}?${address}`,
    headers: {
      ...(kind
        ? { 'content-type': kind === 'json' ? 'application/json' : 'application/octet-stream' }
        : {}),
      ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
      ...(keyed && idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    },
    body: kind === 'stream' ? (input.body as Upload) : kind === 'json' ? json(rest) : undefined,
    // A change that was made already would be refused for the version that it made.
    repeatable: keyed === true || (facts.repeatable === true && ifMatch === undefined),
  }
}

/** The service tells of a misspelt field in a body; others would not be sent at all. */
function refuseUnknown(rest: readonly (readonly [string, unknown])[], known: readonly string[]) {
  const unknown = rest.find(([, value]) => value !== undefined)
  if (!unknown) return
  const hint = known.length > 0 ? `known: ${known.join(', ')}` : 'there are none'
  throw new TypeError(`${unknown[0]}: unknown field; ${hint}`)
}

/** A list by itself is the field `body`, as no object has another name for it. */
function json(rest: readonly (readonly [string, unknown])[]): string {
  const [first] = rest
  const isList = rest.length === 1 && first?.[0] === 'body' && Array.isArray(first[1])
  return JSON.stringify(isList ? first[1] : Object.fromEntries(rest))
}

function queryOf(input: Given, names: ReadonlySet<string>): string {
  const query = new URLSearchParams()
  for (const name of names) {
    for (const value of [input[name]].flat()) {
      if (value !== undefined && value !== null) query.append(name, String(value))
    }
  }
  return query.toString()
}

/** `.` and `..` would vanish from an address, and an empty name would make another one of it. */
function textOf(value: unknown, name: string): string {
  const text = value === undefined || value === null ? '' : String(value)
  if (text === '' || text === '.' || text === '..') throw new TypeError(`${name}: required`)
  return text
}

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
