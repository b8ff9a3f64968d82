import { StartupFailure, Unavailable } from '../errors.ts'
import { type BulkItem, bulk } from './bulk.ts'
import { call, type Elastic } from './client.ts'
import { createIndex, currentIndex, type IndexDefinition, versionedName } from './indices.ts'

const PAGE = 500
const PAGE_MS = 60_000

/** Gives the stored form of a document in the new version, from its source in the old one. */
export type Rewrite = (source: Record<string, unknown>) => Record<string, unknown>

export interface Migration {
  readonly from: string
  readonly to: string
  readonly documents: number
}

/**
 * Copies an index to the version of its definition and moves the alias; undefined when it is
 * there already. Writes to the old index are blocked meanwhile, so none is lost. Repeatable.
 */
export async function migrateIndex(
  elastic: Elastic,
  definition: IndexDefinition,
  rewrite: Rewrite = (source) => source,
): Promise<Migration | undefined> {
  const alias = elastic.indexName(definition.kind)
  const from = await currentIndex(elastic, alias)
  const to = versionedName(elastic, definition)
  if (from === undefined || from === to) return undefined
  const { indices } = elastic.client
  await call(() => indices.putSettings({ index: from, settings: { 'index.blocks.write': true } }))
  await call(() => indices.delete({ index: to, ignore_unavailable: true }))
  await createIndex(elastic, definition, { alias: false })
  const documents = await copy(elastic, { from, to, rewrite })
  await call(() => indices.refresh({ index: to }, { requestTimeout: PAGE_MS }))
  const { count } = await call(() => elastic.client.count({ index: to }))
  if (count !== documents) {
    throw new StartupFailure(`Only ${count} of ${documents} documents reached ${to}: run it again.`)
  }
  await call(() =>
    indices.updateAliases({
      actions: [{ remove: { index: from, alias } }, { add: { index: to, alias } }],
    }),
  )
  return { from, to, documents }
}

async function copy(
  elastic: Elastic,
  { from, to, rewrite }: { from: string; to: string; rewrite: Rewrite },
): Promise<number> {
  const { client } = elastic
  await call(() => client.indices.refresh({ index: from }, { requestTimeout: PAGE_MS }))
  const pit = await call(() => client.openPointInTime({ index: from, keep_alive: '5m' }))
  let id = pit.id
  let after: unknown[] | undefined
  let copied = 0
  for (;;) {
    const page = await call(() =>
      client.search<Record<string, unknown>>(
        {
          pit: { id, keep_alive: '5m' },
          size: PAGE,
          sort: ['_shard_doc'],
          track_total_hits: false,
          allow_partial_search_results: false,
          stored_fields: ['_routing'],
          _source: true,
          ...(after ? { search_after: after as string[] } : {}),
        },
        { requestTimeout: PAGE_MS },
      ),
    )
    id = page.pit_id ?? id
    const { hits } = page.hits
    if (hits.length === 0) break
    const items = hits.map((hit): BulkItem => {
      const routing = hit._routing === undefined ? {} : { routing: hit._routing }
      return {
        action: JSON.stringify({ index: { _index: to, _id: hit._id, ...routing } }),
        document: JSON.stringify(rewrite(hit._source!)),
      }
    })
    const failed = (await bulk(elastic, items, { timeoutMs: PAGE_MS })).find(({ error }) => error)
    if (failed) throw new Unavailable(`A document was refused: ${failed.reason}.`)
    copied += hits.length
    after = hits.at(-1)!.sort as unknown[]
  }
  await call(() => client.closePointInTime({ id }))
  return copied
}
