import { StartupFailure, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import { sendBulk } from './bulk.ts'
import { createBulkBody } from './bulk-body.ts'
import { ADMIN, call, type Elastic } from './client.ts'
import {
  aliasesOf,
  createIndex,
  currentIndex,
  type IndexDefinition,
  refuseNewer,
  versionedName,
} from './indices.ts'
import { searchPages } from './scan.ts'
import type { Query, SearchBody } from './search.ts'
import { allowWrites, blockWrites, refusesWrites } from './write-block.ts'

/** Documents read per request, at most, since each may have some MiB. */
const PAGE = 100
/** Bytes after which a bulk is sent; Elasticsearch accepts 100 MB at once. */
const SEND_BYTES = 8 * 1024 * 1024
const PATIENTLY = { requestTimeout: 60_000 } as const

type SourceDocument = Record<string, unknown>

/** Reads matching documents of the old index, limits.resultWindow at most. */
type ReadOld = (query: Query) => Promise<SourceDocument[]>

/** Returns a document's form in the new version from its old source; undefined drops it. */
export type Rewrite = (
  source: SourceDocument,
  readOld: ReadOld,
) => SourceDocument | undefined | Promise<SourceDocument | undefined>

/**
 * Copies an index to the version of its definition and moves the alias. Returns both names and the
 * number of documents, or undefined when it is current. Blocks writes to the old index, so none is
 * lost. May be repeated. Throws StartupFailure for an index of a newer version.
 */
export async function migrateIndex(
  elastic: Elastic,
  definition: IndexDefinition,
  rewrite: Rewrite = (source) => source,
) {
  const alias = elastic.indexName(definition.kind)
  const from = await currentIndex(elastic, alias)
  const to = versionedName(elastic, definition)
  if (from === undefined || from === to) return undefined
  refuseNewer(from, definition)
  const { indices } = elastic.client
  await blockWrites(elastic, from)
  try {
    await call(() => indices.delete({ index: to, ignore_unavailable: true }, ADMIN))
    await createIndex(elastic, definition, { alias: false })
    const documents = await copy(elastic, { from, to, rewrite })
    await checkComplete(elastic, to, documents)
    await checkUntouched(elastic, from)
    const actions = aliasesOf(elastic, definition).flatMap((name) => [
      // An older version may not have created all aliases.
      { remove: { index: from, alias: name, must_exist: name === alias } },
      { add: { index: to, alias: name } },
    ])
    await call(() => indices.updateAliases({ actions }, ADMIN))
    return { from, to, documents }
  } catch (error) {
    // Lets the older version continue. Its start does the same, in case this is interrupted first.
    await allowWrites(elastic, from).catch(() => undefined)
    throw error
  }
}

async function checkComplete({ client }: Elastic, index: string, documents: number) {
  await call(() => client.indices.refresh({ index }, PATIENTLY))
  const { count } = await call(() => client.count({ index }, ADMIN))
  if (count === documents) return
  throw new StartupFailure(
    `Only ${count} of ${documents} documents were copied to ${index}: run the migration again.`,
  )
}

/** Throws if a service has started meanwhile: it took over the index and may have written to it. */
async function checkUntouched(elastic: Elastic, index: string): Promise<void> {
  if (await refusesWrites(elastic, index)) return
  throw new StartupFailure(
    `The service was started during the migration and may have written to ${index}: stop it and run the migration again.`,
  )
}

async function copy(
  elastic: Elastic,
  { from, to, rewrite }: { from: string; to: string; rewrite: Rewrite },
): Promise<number> {
  const { client } = elastic
  await call(() => client.indices.refresh({ index: from }, PATIENTLY))
  const pit = await call(() => client.openPointInTime({ index: from, keep_alive: '5m' }, ADMIN))
  let id = pit.id
  let copied = 0
  const waiting = createBulkBody()
  const send = async () => {
    const lines = { body: waiting.bytes(), count: waiting.count }
    const results = await sendBulk(elastic, lines, { timeoutMs: PATIENTLY.requestTimeout })
    const failed = results.find(({ error }) => error)
    if (failed) throw new Unavailable(`A document was rejected: ${failed.reason}.`)
    copied += waiting.count
    waiting.clear()
  }
  const readOld: ReadOld = async (query) => {
    const search = { index: from, query, size: limits.resultWindow }
    const found = await call(() => client.search<SourceDocument>(search, PATIENTLY))
    return found.hits.hits.map(({ _source }) => _source!)
  }
  const search = async (body: SearchBody) => {
    const request = { ...body, pit: { id, keep_alive: '5m' } }
    const page = await call(() => client.search<SourceDocument>(request, PATIENTLY))
    id = page.pit_id ?? id
    return page
  }
  const all = {
    size: PAGE,
    sort: ['_shard_doc'],
    allow_partial_search_results: false,
    stored_fields: ['_routing'],
    _source: true,
  }
  for await (const hits of searchPages(search, all)) {
    for (const { _id, _routing, _source } of hits) {
      const document = await rewrite(_source!, readOld)
      if (!document) continue
      const routing = _routing === undefined ? {} : { routing: _routing }
      const action = { index: { _index: to, _id, ...routing } }
      waiting.add(JSON.stringify(action), JSON.stringify(document))
      if (waiting.size >= SEND_BYTES) await send()
    }
  }
  await send()
  await call(() => client.closePointInTime({ id }, ADMIN))
  return copied
}
