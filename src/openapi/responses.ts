import type { Binding, Operation } from '../operation.ts'
import { ActionResponse } from '../shapes.ts'
import type { Served } from './parameters.ts'
import type { JsonSchema, Schemas } from './schemas.ts'
import { failureStatuses } from './statuses.ts'

/** Descriptions of failures for callers. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'The request is wrong; `message` says what and where.',
  401: 'No key, or one that is not valid, disabled or expired.',
  402: 'No search credits are left.',
  403: 'The key or the role may not do this.',
  404: 'It does not exist, or belongs to somebody else: both read the same.',
  409: 'It exists already, or the moment is wrong.',
  412: '`if-match` names another version.',
  413: 'The body is too large.',
  415: 'The body is not `application/json`.',
  429: 'Too much at once; `retry-after` says when to come back.',
  503: 'Elasticsearch or the storage does not answer; `retry-after` says when to come back.',
}

const text: JsonSchema = { type: 'string' }
const binary: JsonSchema = { type: 'string', format: 'binary' }
const seconds: JsonSchema = { type: 'integer', minimum: 0 }
const header = (description: string, schema: JsonSchema = text) => ({ description, schema })

/**
 * All statuses of an operation, with their headers and schemas. `id` begins the names of components
 * that have none of their own.
 */
export function responsesOf(served: Served, id: string, schemas: Schemas) {
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
          'Searches that are left in this month; absent where they are not limited.',
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
    description: 'What `if-none-match` names is still the answer.',
    headers: { ...headersOf(served), etag: header(ETAG) },
  }
  return {
    200: success,
    ...(operation.conditional ? { 304: notModified } : {}),
    ...Object.fromEntries(failures),
  }
}

const ETAG = 'Names the answer, for `if-none-match`; absent where no cache may keep it.'

type BoundAnswer = Binding<never, never>['answer']

/** The description of an answer, from its schema where it has one. */
function meaningOf(answer: BoundAnswer): string {
  if (answer === 'text') return 'A line of text.'
  if (answer === 'bytes') return 'The bytes; `content-type` says what they are.'
  return answer === ActionResponse ? 'It is done; `message` says what.' : (answer.description ?? '')
}

function contentOf(answer: BoundAnswer, name: string, schemas: Schemas, shown: unknown) {
  if (answer === 'text') return { 'text/plain': { schema: text } }
  // Generators of clients look for a type that they know.
  if (answer === 'bytes') return { 'application/octet-stream': { schema: binary }, '*/*': {} }
  const schema = schemas.output(answer, name)
  return { 'application/json': { schema, ...(shown === undefined ? {} : { example: shown }) } }
}

function headersOf({ operation, revision }: Served) {
  return {
    'api-supported-versions': header('All revisions of the interface.'),
    'x-request-id': header('Names this request; the log has it where the status is 500 or above.'),
    'cache-control': header('Who may keep the answer, and how long; `no-store`: nobody.'),
    'x-content-type-options': header('`nosniff`: the content is what `content-type` says.'),
    ...(operation.bindings.any
      ? {}
      : {
          'x-api-version': header('The revision of this answer.', {
            type: 'string',
            enum: [revision],
          }),
        }),
  }
}

function failureHeaders(status: number) {
  if (status === 401) return { 'www-authenticate': header('How to say who calls.') }
  if (status !== 429 && status !== 503) return {}
  return { 'retry-after': header('Seconds to wait.', seconds) }
}

function failureBody(operation: Operation, status: number, schemas: Schemas) {
  if (status === 404 && operation.failure === 'text') return { schema: text }
  return { schema: schemas.output(ActionResponse, 'ActionResponse') }
}
