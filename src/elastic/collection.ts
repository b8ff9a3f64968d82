import { hash } from 'node:crypto'
import type { estypes } from '@elastic/elasticsearch'
import { Conflict, Stale, Unavailable } from '../errors.ts'
import { defined } from '../platform/defined.ts'
import type { BulkItem } from './bulk.ts'
import { call, type Elastic, MISSING_INDEX, reasonOf, statusOf, translate } from './client.ts'
import { type DocumentReference, getDocument, getDocuments } from './get-documents.ts'
import {
  type CallOptions,
  type Place,
  type PointInTime,
  type ReadOptions,
  transportOptions,
  type Visible,
} from './place.ts'
import { closePointInTime, openPointInTime } from './point-in-time.ts'
import { refreshCoalesced, refreshIndex } from './refresh.ts'
import {
  count,
  type Query,
  type SearchAnswer,
  type SearchBody,
  type SearchOptions,
  search,
} from './search.ts'
import type { TaggedFields } from './tagged-fields.ts'

/** A late write must not recreate an index that was deleted. */
const REQUIRE_ALIAS = { require_alias: true } as const

/** Milliseconds for the refresh after a write whose answer was lost. */
const LOST_REFRESH_MS = 500

/** The version of a document, for conditional writes. */
export interface Version {
  readonly seqNo: number
  readonly primaryTerm: number
  /** The index it was read from; no version of another index is current. */
  readonly kind?: string
}

export interface Stored<T> extends Version {
  readonly source: T
}

interface RefreshOptions extends Pick<CallOptions, 'signal'> {
  /** Shares a refresh with concurrent callers, which costs searches and writes less. */
  readonly shared?: boolean
}

interface WriteOptions extends CallOptions {
  /** Searchable before the call returns. */
  readonly refresh?: true
}

/** The documents of one scope in one index. Ids, routing and the scope are set only here. */
export interface Collection<T extends object> {
  readonly place: Place
  documentId(id: string): string
  /** Reads in real time: sees every acknowledged write. Reads of large documents take turns. */
  get(id: string, options?: ReadOptions): Promise<Stored<T> | undefined>
  /** A reference for `getDocuments`, which reads across scopes. */
  reference(id: string): DocumentReference
  /** In the order of `ids`; undefined for missing ones. Throws Invalid when they are too large. */
  getMany(ids: readonly string[], options?: ReadOptions): Promise<(Stored<T> | undefined)[]>
  /** Throws Conflict when the id is taken. */
  create(id: string, source: T, options?: WriteOptions): Promise<Stored<T>>
  /** Throws Stale when the document changed since `at` was read. */
  replace(id: string, source: T, at: Version, options?: WriteOptions): Promise<Stored<T>>
  /** Writes without checking the current document. */
  put(id: string, source: T, options?: WriteOptions): Promise<void>
  /** Returns false when there was none. Throws Stale when it changed since `at`. */
  remove(id: string, options?: WriteOptions & { at?: Version }): Promise<boolean>
  /** A bulk item that creates the document, or replaces `version`. */
  bulkItem(id: string, source: T, version?: Version): BulkItem
  search(body: SearchBody, options?: SearchOptions): Promise<SearchAnswer<T>>
  /** The documents a search finds, without their total. */
  find(body: SearchBody, options?: SearchOptions): Promise<T[]>
  /** Makes every acknowledged write searchable. */
  refresh(options?: RefreshOptions): Promise<void>
  openPointInTime(keepMs: number, options?: CallOptions): Promise<PointInTime>
  closePointInTime(pointInTime: PointInTime): Promise<void>
  count(query?: Query, options?: CallOptions): Promise<number>
}

/** base64url(SHA-256) over the length-prefixed parts: no two lists of parts share an id. */
export function hashedId(parts: readonly string[]): string {
  let text = ''
  for (const part of parts) text += `${Buffer.byteLength(part)}:${part}`
  return hash('sha256', text, 'base64url')
}

export interface CollectionSettings {
  /**
   * The file in index-mappings/ without its extension, or a monthly index's name after the prefix.
   */
  readonly kind: string
  /** Organization first; empty only for indices that belong to no organization. */
  readonly scope: readonly string[]
  /** The whole scope lives in one shard. */
  readonly routed?: boolean
  /** Shards of an index that holds this scope alone. */
  readonly shards?: number | undefined
  /**
   * A monthly log, which is empty before its first index. For other kinds, a missing index is an
   * outage.
   */
  readonly monthly?: boolean
  /** Fields whose values begin with a tag of the scope; none when absent. */
  readonly tagged?: TaggedFields | undefined
  /** The part of the scope that exists for the caller; everything when absent. */
  readonly visible?: Visible | undefined
  /** The part of the visible documents that searches find; everything when absent. */
  readonly found?: Query | undefined
}

/** Opens the documents of one scope. A document gets the field `scope` unless the scope is empty. */
export function collection<T extends object>(
  elastic: Elastic,
  { kind, scope, routed = false, shards, monthly = false, ...bounds }: CollectionSettings,
): Collection<T> {
  const scopeText = scope.length === 0 ? null : scope.join('/')
  const place: Place = {
    kind,
    scope: scopeText,
    monthly,
    ...(routed && scopeText ? { routing: scopeText } : {}),
    ...defined({ shards, ...bounds }),
  }
  const index = elastic.indexName(kind)
  const documentId = (id: string) => hashedId([...scope, id])
  const routing = place.routing === undefined ? {} : { routing: place.routing }
  const at = (id: string) => ({ index, id: documentId(id), ...routing })
  const bulkTarget = (id: string) => ({ _index: index, _id: documentId(id), ...routing })
  const existing = shards === undefined ? {} : REQUIRE_ALIAS
  const reference = (id: string) => ({ place, target: bulkTarget(id) })
  const unlessAbsent = (error: unknown): undefined => {
    const isAbsent = statusOf(error) === 404 && (monthly || reasonOf(error) !== MISSING_INDEX)
    if (!isAbsent) throw translate(error)
  }
  const scoped = (source: T) => (scopeText === null ? source : { scope: scopeText, ...source })

  async function write(
    id: string,
    source: T,
    condition: Partial<estypes.IndexRequest>,
    { refresh, ...options }: WriteOptions,
  ): Promise<Stored<T>> {
    const writing = call(() =>
      elastic.client.index(
        { ...at(id), ...existing, document: scoped(source), ...condition },
        transportOptions(options),
      ),
    )
    const answer = await (refresh ? searchable(writing, options) : writing)
    return { source, seqNo: answer._seq_no!, primaryTerm: answer._primary_term!, kind }
  }

  /** Throws Stale for a version of another index. */
  function conditionOf({ seqNo, primaryTerm, kind: from = kind }: Version) {
    if (from !== kind) throw new Stale()
    return { if_seq_no: seqNo, if_primary_term: primaryTerm }
  }

  const stored = (doc: estypes.GetGetResult<T>): Stored<T> => ({
    source: doc._source!,
    ...{ seqNo: doc._seq_no!, primaryTerm: doc._primary_term!, kind },
  })

  async function searchable<A>(writing: Promise<A>, options: CallOptions): Promise<A> {
    const answer = await writing.catch(async (error: unknown) => {
      // Perhaps only the answer was lost. Callers who then read the document expect searches to
      // find it, too.
      const soon = { signal: AbortSignal.timeout(LOST_REFRESH_MS) }
      if (translate(error) instanceof Unavailable) {
        await refreshCoalesced(elastic, kind, soon).catch(() => undefined)
      }
      throw error
    })
    await refreshCoalesced(elastic, kind, options)
    return answer
  }

  return {
    place,
    documentId,
    reference,
    async get(id, options) {
      const document = await getDocument<T>(elastic, reference(id), options).catch(unlessAbsent)
      return document && stored(document)
    },
    async getMany(ids, options) {
      const found = await getDocuments<T>(elastic, ids.map(reference), options)
      return found.map((doc) => doc && stored(doc))
    },
    async create(id, source, options = {}) {
      try {
        return await write(id, source, { op_type: 'create' }, options)
      } catch (error) {
        if (error instanceof Stale) throw new Conflict('It already exists.')
        throw error
      }
    },
    async replace(id, source, version, options = {}) {
      return write(id, source, conditionOf(version), options)
    },
    async put(id, source, options = {}) {
      await write(id, source, {}, options)
    },
    async remove(id, { refresh, at: version, ...options } = {}) {
      const removing = elastic.client.delete(
        { ...at(id), ...(version ? conditionOf(version) : {}) },
        transportOptions(options),
      )
      const done = await (refresh ? searchable(removing, options) : removing).catch(unlessAbsent)
      return done !== undefined
    },
    bulkItem(id, source, version) {
      const target = { ...bulkTarget(id), ...existing, ...(version ? conditionOf(version) : {}) }
      return {
        action: JSON.stringify(version ? { index: target } : { create: target }),
        document: JSON.stringify(scoped(source)),
      }
    },
    search: (body, options) => search<T>(elastic, place, body, options),
    async find(body, options) {
      const bare = { track_total_hits: false, ...body }
      const { hits } = await search<T>(elastic, place, bare, options)
      return hits.hits.map(({ _source }) => _source!)
    },
    refresh: ({ shared = false, ...options } = {}) =>
      (shared ? refreshCoalesced : refreshIndex)(elastic, kind, options),
    openPointInTime: (keepMs, options) => openPointInTime(elastic, place, keepMs, options),
    closePointInTime: (pointInTime) => closePointInTime(elastic, pointInTime),
    count: (query, options) => count(elastic, place, query, options),
  }
}
