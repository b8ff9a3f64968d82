import type { estypes } from '@elastic/elasticsearch'
import type { Elastic } from './client.ts'
import type { ReplacedFields } from './renamed-fields.ts'

/** Where a search looks: an index, and the scope that no caller can leave out. */
export interface Place {
  readonly kind: string
  /** Every hit has exactly this scope; null only for indices that hold no tenant's data. */
  readonly scope: string | null
  /** A log by month: before its first index it is empty. */
  readonly monthly?: boolean
  /** One shard holds the whole scope when set. */
  readonly routing?: string
  /** Shards that the scope is spread over, in an index that nothing else is in. */
  readonly shards?: number
  /** The only one of these that is looked at. */
  readonly shard?: number
  /** What of the scope is there; all when absent. */
  readonly visible?: Visible
  /** What searches find of that; all when absent. */
  readonly found?: estypes.QueryDslQueryContainer
}

/** The part of a scope that is there for a caller: the rest is neither read nor found. */
export interface Visible {
  /** Holds for every hit; any when absent. */
  readonly filter?: estypes.QueryDslQueryContainer | undefined
  /** Fields that no search looks at, and those that stand for them; null: nothing does. */
  readonly instead: ReplacedFields
  /** Whether a document that was read is there; `source` says what of it has to be read. */
  readonly admits: (document: object) => boolean
  readonly source: readonly string[]
}

/** Whether what a search counts is put together from several shards. */
export const isSpread = ({ shards = 1, shard }: Pick<Place, 'shards' | 'shard'>): boolean =>
  shards > 1 && shard === undefined

/** What has to be read of a document to tell whether it is there, besides what is asked for. */
export const sourceToRead = (
  { visible }: Pick<Place, 'visible'>,
  source: readonly string[],
): readonly string[] => {
  if (!visible) return source
  // What is read whole is not named by its parts: Elasticsearch would give up its order.
  const isRead = (path: string) => source.some((one) => path === one || path.startsWith(`${one}.`))
  return [...source, ...visible.source.filter((path) => !isRead(path))]
}

/** Where a request of a place goes: copies of a shard differ in scores, so a scope stays with one. */
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
  /** Milliseconds for the call, where it is not a request that waits. */
  readonly timeoutMs?: number
}

export const transportOptions = ({ signal, timeoutMs }: CallOptions) => ({
  ...(signal ? { signal } : {}),
  ...(timeoutMs ? { requestTimeout: timeoutMs } : {}),
})

/** A state of an index that searches may return to, until it is closed or for a time unused. */
export interface PointInTime {
  /** An answer may say another one as `pit_id`. */
  readonly id: string
  /** Milliseconds for which each search keeps it. */
  readonly keepMs: number
}

export interface ReadOptions extends CallOptions {
  /** Fields of the source to read; all when absent. */
  readonly source?: readonly string[] | undefined
  /** Bytes of many documents together; limits.answerBytes when absent. */
  readonly most?: number
}
