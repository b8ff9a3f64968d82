import type { Binding, Operation } from '../operation.ts'
import { ActionResponse } from '../shapes.ts'
import type { ServedOperation } from './parameters.ts'
import type { JsonSchema, Schemas } from './schemas.ts'
import { failureStatuses } from './statuses.ts'

/** Descriptions of failures for callers. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'The request is invalid. `message` says what is wrong, and where.',
  401: 'The API key is missing, invalid, disabled or expired.',
  402: 'No search credits are left.',
  403: 'The key or the role lacks permission for this operation.',
  404: 'The object does not exist or belongs to another organization or user.',
  409: 'The object already exists, or its current state does not allow the operation.',
  412: 'The version in `if-match` is not the current one.',
  413: 'The request body is too large.',
  415: 'The request body is not `application/json`.',
  429: 'Too many requests. Retry after the time in `retry-after`.',
  503: 'Elasticsearch or the storage is unavailable. Retry after the time in `retry-after`.',
}

const text: JsonSchema = { type: 'string' }
const binary: JsonSchema = { type: 'string', format: 'binary' }
const seconds: JsonSchema = { type: 'integer', minimum: 0 }
const header = (description: string, schema: JsonSchema = text) => ({ description, schema })

/**
 * All statuses of an operation, with their headers and schemas. `id` begins the names of components
 * that have none of their own.
 */
export function responsesOf(served: ServedOperation, id: string, schemas: Schemas) {
  const { operation, binding, example } = served
  const failures = failureStatuses(operation, binding).map((status) => [
    status,
    {
      description: REASONS[status]!,
      headers: { ...headersOf(served), ...failureHeaders(status) },
      content: { 'application/json': failureBody(operation, status, schemas) },
    },
  ])
  const credits = operation.fails.includes('exhausted')
    ? {
        'x-search-credits-remaining': header(
          'Search credits left in the current month. Omitted if searches are unlimited.',
          seconds,
        ),
      }
    : {}
  const success = {
    description: meaningOf(binding.answer),
    headers: { ...headersOf(served), ...credits },
    content: {
      ...contentOf(binding.answer, `${id}Answer`, schemas, example?.answer),
      ...(binding.csv ? { 'text/csv': { schema: text } } : {}),
    },
  }
  if (operation.conditional) Object.assign(success.headers, { etag: header(ETAG) })
  const notModified = {
    description: 'The response named in `if-none-match` is still current.',
    headers: { ...headersOf(served), etag: header(ETAG) },
  }
  return {
    200: success,
    ...(operation.conditional ? { 304: notModified } : {}),
    ...Object.fromEntries(failures),
  }
}

const ETAG = 'Tag of the response, for use in `if-none-match`. Omitted if it must not be cached.'

type BoundAnswer = Binding<never, never>['answer']

/** The description of an answer, from its schema where it has one. */
function meaningOf(answer: BoundAnswer): string {
  if (answer === 'text') return 'A line of text.'
  if (answer === 'bytes') return 'The bytes, whose type is in `content-type`.'
  return answer === ActionResponse
    ? 'The action succeeded. `message` says what was done.'
    : (answer.description ?? '')
}

function contentOf(answer: BoundAnswer, name: string, schemas: Schemas, shown: unknown) {
  if (answer === 'text') return { 'text/plain': { schema: text } }
  // Client generators look for a type that they know.
  if (answer === 'bytes') return { 'application/octet-stream': { schema: binary }, '*/*': {} }
  const schema = schemas.output(answer, name)
  return { 'application/json': { schema, ...(shown === undefined ? {} : { example: shown }) } }
}

function headersOf({ operation, revision }: ServedOperation) {
  return {
    'api-supported-versions': header('All revisions of the API.'),
    'x-request-id': header(
      'Id of the request. It is included in the log if the status is 500 or higher.',
    ),
    'cache-control': header(
      'Who can cache the response, and for how long. `no-store` means nobody.',
    ),
    'x-content-type-options': header(
      '`nosniff`: the content is of the type stated in `content-type`.',
    ),
    ...(operation.bindings.any
      ? {}
      : {
          'x-api-version': header('Revision of the response.', {
            type: 'string',
            enum: [revision],
          }),
        }),
  }
}

function failureHeaders(status: number) {
  if (status === 401) return { 'www-authenticate': header('Supported authentication schemes.') }
  if (status !== 429 && status !== 503) return {}
  return { 'retry-after': header('Seconds to wait before retrying.', seconds) }
}

function failureBody(operation: Operation, status: number, schemas: Schemas) {
  if (status === 404 && operation.failure === 'text') return { schema: text }
  return { schema: schemas.output(ActionResponse, 'ActionResponse') }
}
