import { StartupFailure, Unavailable } from '../errors.ts'
import { type BulkItem, bulk } from './bulk.ts'
import { ADMIN, call, type Elastic } from './client.ts'
import {
  createIndex,
  currentIndex,
  type IndexDefinition,
  refuseNewer,
  versionedName,
} from './indices.ts'

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
 * Throws StartupFailure for an index of a newer version.
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
  refuseNewer(from, definition)
  const { indices } = elastic.client
  const blockWrites = (blocked: boolean) =>
    call(() =>
      indices.putSettings({ index: from, settings: { 'index.blocks.write': blocked } }, ADMIN),
    )
  await blockWrites(true)
  try {
    await call(() => indices.delete({ index: to, ignore_unavailable: true }, ADMIN))
    await createIndex(elastic, definition, { alias: false })
    const documents = await copy(elastic, { from, to, rewrite })
    await checkComplete(elastic, to, documents)
    const actions = [{ remove: { index: from, alias } }, { add: { index: to, alias } }]
    await call(() => indices.updateAliases({ actions }, ADMIN))
    return { from, to, documents }
  } catch (error) {
    // The older version can go on.
    await blockWrites(false).catch(() => undefined)
    throw error
  }
}

async function checkComplete({ client }: Elastic, index: string, documents: number) {
  await call(() => client.indices.refresh({ index }, { requestTimeout: PAGE_MS }))
  const { count } = await call(() => client.count({ index }, ADMIN))
  if (count === documents) return
  throw new StartupFailure(
    `Only ${count} of ${documents} documents reached ${index}: run it again.`,
  )
}

async function copy(
  elastic: Elastic,
  { from, to, rewrite }: { from: string; to: string; rewrite: Rewrite },
): Promise<number> {
  const { client } = elastic
  await call(() => client.indices.refresh({ index: from }, { requestTimeout: PAGE_MS }))
  const pit = await call(() => client.openPointInTime({ index: from, keep_alive: '5m' }, ADMIN))
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
  await call(() => client.closePointInTime({ id }, ADMIN))
  return copied
}
