import type { z } from 'zod'
import type { KeyGroup, RequestFacts, Role } from './caller.ts'
import type { CallerContext, Context, PublicContext } from './context.ts'
import type { FailureCode } from './errors.ts'

export * from './caller.ts'
export * from './context.ts'

export const REVISIONS = ['1.0', '6.0'] as const
export type Revision = (typeof REVISIONS)[number]

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** An answer that is not JSON, such as a file or an image. Its status is 200 when absent. */
export interface BinaryAnswer {
  readonly status?: number
  readonly type: string
  /** Length in bytes; null when it is not known in advance. */
  readonly length: number | null
  readonly body: ReadableStream<Uint8Array>
  readonly headers?: Readonly<Record<string, string>>
}

/** One revision's method, path, request schemas and answer. */
export interface Binding<out Input, in Output> {
  readonly method: Method
  readonly path: string
  readonly param?: z.ZodType
  readonly query?: z.ZodType
  /** `stream`: the body is not JSON and is passed on unread. */
  readonly body?: z.ZodType | 'stream'
  /** The body may be absent; it then decodes as an empty object. */
  readonly bodyOptional?: boolean
  /** Maximum bytes of a JSON body, if not limits.bodyBytes. If more, it counts as an upload. */
  readonly bodyBytes?: number
  /** Maximum values of a JSON body, if fewer than limits.jsonValues. */
  readonly bodyValues?: number
  /** The parameter `key` may name the key. The path then has no parameters. */
  readonly keyInAddress?: boolean
  /** A GET that changes something. HEAD, whose answer nobody reads, is refused. */
  readonly noHead?: boolean
  /** The operation speaks another protocol, with headers of its own. */
  readonly readsHeaders?: boolean
  readonly answer: z.ZodType | 'text' | 'bytes'
  /** The same answer as a table, for requests with `format=csv`. */
  csv?(output: Output): string
  encode(output: Output): unknown
  /** Exists for the type only: what param, query and body decode to. */
  readonly decoded?: () => Input
}

type Out<S> = S extends z.ZodType ? z.output<S> : unknown
type BodyOf<B> = B extends 'stream'
  ? { body: ReadableStream<Uint8Array> | null }
  : B extends z.ZodType
    ? { body: z.output<B> }
    : unknown

export interface RouteParts<P, Q, B, Output>
  extends Pick<
    Binding<never, never>,
    | 'bodyOptional'
    | 'bodyBytes'
    | 'bodyValues'
    | 'keyInAddress'
    | 'noHead'
    | 'readsHeaders'
    | 'answer'
  > {
  param?: P
  query?: Q
  body?: B
  encode?: (output: Output) => unknown
  csv?: (output: Output) => string
}

/** Declares one binding. Param, query and body decode to one input: `{...param, ...query, body}`. */
export function route<
  Output,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | 'stream' | undefined = undefined,
>(
  method: Method,
  path: string,
  parts: RouteParts<P, Q, B, Output>,
): Binding<Out<P> & Out<Q> & BodyOf<B> & RequestFacts, Output> {
  return { method, path, encode: (output: Output) => output, ...parts } as never
}

/** Declares the same binding for both revisions. */
export function bothRevisions<
  Output,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | 'stream' | undefined = undefined,
>(method: Method, path: string, parts: RouteParts<P, Q, B, Output>) {
  const binding = route<Output, P, Q, B>(method, path, parts)
  return { '1.0': binding, '6.0': binding }
}

/** Returned in place of an output that the caller already has, and answered with status 304. */
export const NOT_MODIFIED = Symbol('not modified')

type Handled<Output> = Output | typeof NOT_MODIFIED

/** Bindings by revision of the interface, or `any` for operations without a version. */
type Bindings<Input, Output> = Partial<Record<Revision | 'any', Binding<Input, Output>>>

export const AUDIT_TARGETS = [
  'auditLog',
  'callback',
  'callbackSecret',
  'catalog',
  'experiment',
  'extension',
  'installation',
  'key',
  'organization',
  'priceList',
  'products',
  'searchSettings',
  'user',
] as const
export type AuditTarget = (typeof AUDIT_TARGETS)[number]

/** How the audit log records an operation. */
export interface Audit<in Input, in Output> {
  readonly target: AuditTarget
  /** The id of the target, if the request names it; otherwise the `id` of the output is used. */
  id?(input: Input): string | null
  /** The part of the change note that is about the target; all of it when absent. */
  part?(noted: object, input: Input): object | undefined
  /** The name of the target, from that part. */
  name?(part: object, input: Input): string | null
  /** Fields whose values are recorded, including nested ones. Of other fields, only names are. */
  readonly values?: readonly string[]
  /** Whether the answer shows a secret. */
  secret?(output: Output): boolean
  /** Whether anything was done; otherwise there is no entry. */
  happened?(output: Output): boolean
  /**
   * The organizations whose data the answer has, when there may be several, whichever is in effect.
   */
  owners?(output: Output): readonly string[]
  /**
   * It changes nothing, whatever its method. It is recorded once an hour for each key and address.
   */
  readonly reads?: boolean
}

interface OperationDeclaration<Input, Output> {
  /** The name, as docs/interface.md lists it. */
  readonly name: string
  /** One sentence for the served documentation. */
  readonly summary: string
  /** `text`: a 404 is a plain JSON string, as the interface lists for extension fields. */
  readonly failure?: 'text'
  /**
   * Places that it takes among limits.requestPlaces while it runs. When absent: 2 if it changes
   * something, since Elasticsearch then writes and shows it, and 1 otherwise.
   */
  readonly cost?: number
  /** Clients poll it while their tasks run, so tasks do not give way to it. */
  readonly polled?: boolean
  /** Milliseconds that it may take once it has a place; when absent, limits.requestMs in all. */
  readonly ms?: number
  /** Failures besides those that its access and its request imply; for the documentation. */
  readonly fails?: readonly FailureCode[]
  /** A cacheable answer has an ETag, and a matching If-None-Match is answered with 304. */
  readonly conditional?: boolean
  /** It honors an Idempotency-Key; for the documentation. */
  readonly idempotent?: boolean
  /** A POST that changes nothing, so that clients may send it again. */
  readonly reads?: boolean
  /** Set if the audit log records it: for what administers an organization, and what shows that. */
  readonly audit?: Audit<NoInfer<Input>, NoInfer<Output>>
  readonly bindings: Bindings<Input, Output>
}

interface InOrganization<Input, Output> extends OperationDeclaration<Input, Output> {
  /** The weakest role that may call it in the organization in effect. */
  readonly access: Role
  /** Limited key types that may call it besides `full`. */
  readonly keys?: readonly KeyGroup[]
  readonly handle: (input: Input, ctx: Context) => Promise<Handled<Output>> | Handled<Output>
}

interface OutsideOrganizations<Input, Output> extends OperationDeclaration<Input, Output> {
  readonly access: 'caller' | 'operatorOnly'
  readonly handle: (input: Input, ctx: CallerContext) => Promise<Handled<Output>> | Handled<Output>
}

interface Public<Input, Output> extends OperationDeclaration<Input, Output> {
  readonly access: 'public'
  readonly handle: (input: Input, ctx: PublicContext) => Promise<Handled<Output>> | Handled<Output>
}

export type Declaration<Input, Output> =
  | InOrganization<Input, Output>
  | OutsideOrganizations<Input, Output>
  | Public<Input, Output>

/** An operation without its type parameters, as the table holds it. */
export interface Operation
  extends Omit<OperationDeclaration<never, never>, 'failure' | 'cost' | 'fails' | 'conditional'> {
  readonly access: Role | 'caller' | 'operatorOnly' | 'public'
  readonly keys: readonly KeyGroup[]
  readonly failure: 'action' | 'text'
  readonly cost: number
  readonly fails: readonly FailureCode[]
  readonly conditional: boolean
  readonly handle: (input: never, ctx: never) => unknown
  /** Called for callers who may not call it. */
  readonly refused?: (ctx: CallerContext) => void
}

const changes = <I, O>({ bindings, reads }: Declaration<I, O>): boolean =>
  !reads && Object.values(bindings).some(({ method }) => method !== 'GET')

/** Declares one operation: the only source of its routes, documentation and access. */
export function operation<Input, Output>(declared: Declaration<Input, Output>): Operation {
  return {
    keys: [],
    failure: 'action',
    cost: changes(declared) ? 2 : 1,
    fails: [],
    conditional: false,
    ...declared,
  } as never
}
