import type { CallOptions, Connection } from './connection.ts'
import type { operations } from './generated/api.ts'

/** The name of an operation, such as `getProduct`. */
export type OperationId = keyof operations

/** Types that a file can be sent as. */
export type Upload =
  | Blob
  | ReadableStream<Uint8Array>
  | ArrayBuffer
  | Uint8Array<ArrayBuffer>
  | string

type Nothing = Record<never, never>
type PathOf<Id extends OperationId> = operations[Id]['parameters'] extends { path: infer Path }
  ? Path
  : Nothing
type QueryOf<Id extends OperationId> = [
  NonNullable<operations[Id]['parameters']['query']>,
] extends [never]
  ? Nothing
  : NonNullable<operations[Id]['parameters']['query']>
type Sent<Id extends OperationId> = [NonNullable<operations[Id]['requestBody']>] extends [never]
  ? Nothing
  : NonNullable<operations[Id]['requestBody']>
type BodyOf<Id extends OperationId> =
  Sent<Id> extends { content: { 'application/json': infer Body } }
    ? Body extends readonly unknown[]
      ? { readonly body: Body }
      : Body
    : Sent<Id> extends { content: unknown }
      ? { readonly body: Upload }
      : Nothing
type Answers<Id extends OperationId> = operations[Id]['responses'][200]['content']

/** Input of an operation: the parameters of its path and its query, and the fields of its body. */
export type Input<Id extends OperationId> = PathOf<Id> & QueryOf<Id> & BodyOf<Id>

/** Answer of an operation; for files and pictures the Response, whose body is not read yet. */
export type Answer<Id extends OperationId> =
  Answers<Id> extends { 'application/json': infer Json }
    ? Json
    : Answers<Id> extends { 'text/plain': string }
      ? string
      : Response

type Parts<Id extends OperationId> =
  Nothing extends Input<Id>
    ? [input?: Input<Id>, options?: CallOptions]
    : [input: Input<Id>, options?: CallOptions]

/** The answer is CSV if `format` is `csv`. */
type AsCsv<Id extends OperationId, Before extends unknown[]> =
  Answers<Id> extends { 'text/csv': string }
    ? (
        ...given: [...Before, input: Input<Id> & { format: 'csv' }, options?: CallOptions]
      ) => Promise<string>
    : unknown

/** An operation as a method of a client. Throws AisleError. */
export type Method<Id extends OperationId> = AsCsv<Id, []> &
  ((...given: Parts<Id>) => Promise<Answer<Id>>)

/** An operation as a function of its own, for tree shaking. Throws AisleError. */
export type Operation<Id extends OperationId> = AsCsv<Id, [connection: Connection]> &
  ((connection: Connection, ...given: Parts<Id>) => Promise<Answer<Id>>)
