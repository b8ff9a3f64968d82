import type { estypes } from '@elastic/elasticsearch'
import type { Elastic } from './client.ts'
import type { ReplacedFields } from './renamed-fields.ts'
import type { TaggedFields } from './tagged-fields.ts'

/** Where a search looks: an index and a scope, which no caller can omit. */
export interface Place {
  readonly kind: string
  /** The scope of every hit; null only for indices without tenant data. */
  readonly scope: string | null
  /** A monthly log, which is empty until its first index exists. */
  readonly monthly?: boolean
  /** Set when one shard holds the whole scope. */
  readonly routing?: string
  /** Number of shards of an index that holds this scope alone. */
  readonly shards?: number
  /** The only one of these shards to search. */
  readonly shard?: number
  /** Fields whose values begin with a tag of the scope; absent: none. */
  readonly tagged?: TaggedFields
  /** The part of the scope that exists for the caller; absent: all. */
  readonly visible?: Visible
  /** The part of the visible documents that searches find; absent: all. */
  readonly found?: estypes.QueryDslQueryContainer
}

/** The part of a scope that exists for a caller: the rest is neither read nor found. */
export interface Visible {
  /** Matches every hit; absent: all documents. */
  readonly filter?: estypes.QueryDslQueryContainer | undefined
  /** Hidden fields and the fields searched in their place; null: none. */
  readonly instead: ReplacedFields
  /** Whether a document that was read exists for the caller, given the fields in `source`. */
  readonly admits: (document: object) => boolean
  readonly source: readonly string[]
}

/** Whether counts are merged from several shards. */
export const isSpread = ({ shards = 1, shard }: Pick<Place, 'shards' | 'shard'>): boolean =>
  shards > 1 && shard === undefined

/** The fields to read to tell whether a document exists for the caller, besides those requested. */
export const sourceToRead = (
  { visible }: Pick<Place, 'visible'>,
  source: readonly string[],
): readonly string[] => {
  if (!visible) return source
  // A field read as a whole is not listed by its parts: Elasticsearch would change their order.
  const isRead = (path: string) => source.some((one) => path === one || path.startsWith(`${one}.`))
  return [...source, ...visible.source.filter((path) => !isRead(path))]
}

/** The target of a request. Copies of a shard differ in scores, so a scope stays with one copy. */
export const indexTargetOf = (
  elastic: Elastic,
  { kind, scope, monthly, routing, shard }: Place,
) => ({
  index: elastic.indexName(kind),
  ignore_unavailable: monthly ?? false,
  ...(routing === undefined ? {} : { routing }),
  ...(scope === null
    ? {}
    : { preference: shard === undefined ? scope : `_shards:${shard}|${scope}` }),
})

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for the call, when no request waits for it. */
  readonly timeoutMs?: number
}

/** `longest`: maximum bytes of the response, beyond which it is aborted; see isTooLong. */
export const transportOptions = ({ signal, timeoutMs }: CallOptions, longest?: number) => ({
  ...(signal ? { signal } : {}),
  ...(timeoutMs ? { requestTimeout: timeoutMs } : {}),
  ...(longest === undefined ? {} : { maxResponseSize: longest }),
})

/** A state of an index that searches can return to until it is closed or expires unused. */
export interface PointInTime {
  /** Answers may replace it by their `pit_id`. */
  readonly id: string
  /** Milliseconds by which each search extends it. */
  readonly keepMs: number
}

export interface ReadOptions extends CallOptions {
  /** Fields of the source to read; all when absent. */
  readonly source?: readonly string[] | undefined
  /** Maximum bytes of all documents together; limits.answerBytes when absent. */
  readonly most?: number
}
