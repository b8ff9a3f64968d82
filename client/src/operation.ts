import type { CallOptions, Connection } from './connection.ts'
import { readJson, readText, type SentRequest, send } from './send.ts'
import type { Operation, OperationId, Upload } from './types.ts'

/** Facts of an operation besides its place. */
interface Facts {
  /**
   * The request body: as JSON the fields that are neither in path nor in query, else `body` itself.
   */
  readonly body?: 'json' | 'stream'
  /** Type of the answer; JSON if absent. */
  readonly answer?: 'text' | 'bytes'
  /** Whether it is idempotent. */
  readonly repeatable?: boolean
  /** Whether it accepts an Idempotency-Key. */
  readonly keyed?: boolean
}

type Given = Readonly<Record<string, unknown>>

/**
 * Declares an operation by its place, `GET
 * api/Catalog/{catalog}/products/{id}?includeVendorDetails`.
 */
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
    // A retry after the change was applied would fail, since the change made a new version.
    repeatable: keyed === true || (facts.repeatable === true && ifMatch === undefined),
  }
}

/** Refuses unknown fields where no body is sent; in a body, the service itself refuses them. */
function refuseUnknown(rest: readonly (readonly [string, unknown])[], known: readonly string[]) {
  const unknown = rest.find(([, value]) => value !== undefined)
  if (!unknown) return
  const hint = known.length > 0 ? `known: ${known.join(', ')}` : 'there are none'
  throw new TypeError(`${unknown[0]}: unknown field; ${hint}`)
}

/** A request body that is a list has no field names, so it is passed as the field `body`. */
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

/**
 * `.` and `..` would be removed from an address, and an empty name would lead to another operation.
 */
function textOf(value: unknown, name: string): string {
  const text = value === undefined || value === null ? '' : String(value)
  if (text === '' || text === '.' || text === '..') throw new TypeError(`${name}: required`)
  return text
}

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
