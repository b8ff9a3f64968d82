import { errors } from '@elastic/elasticsearch'
import type { Elastic } from './client.ts'

/** Timeouts short enough that both calls together leave time for the answer. */
const HEALTH = { requestTimeout: 1_500 } as const
const ALIASES = { requestTimeout: 1_000 } as const

/** The state of Elasticsearch, as it reports it. */
export interface Health {
  /** `ok` and the state of our indices, or what is wrong. */
  readonly state: string
  /** Elasticsearch's clock in whole seconds, if it answered. */
  readonly epoch?: number
}

/** The current state of Elasticsearch. Never throws. */
export async function clusterHealth(elastic: Elastic): Promise<Health> {
  try {
    const [[line], status, block] = await Promise.all([
      elastic.client.cat.health({ format: 'json', h: ['epoch'] }, HEALTH),
      indicesHealth(elastic),
      writeBlock(elastic),
    ])
    return { state: inWords(status, block), epoch: Number(line?.epoch) }
  } catch (error) {
    return { state: failure(error) }
  }
}

/** green, yellow or red, of our indices alone: others may share the cluster. */
async function indicesHealth({ client, indexName }: Elastic): Promise<string> {
  const { status } = await client.cluster.health(
    { index: indexName('*'), filter_path: 'status' },
    HEALTH,
  )
  return status
}

const inWords = (status: string, block: string | undefined): string => {
  if (status === 'red') return 'some shards are missing (red)'
  return block ?? `ok (${status})`
}

function failure(error: unknown): string {
  if (error instanceof errors.TimeoutError) return `no answer within ${HEALTH.requestTimeout} ms`
  if (error instanceof errors.ConnectionError) return 'cannot be reached'
  if (error instanceof errors.ResponseError) return `answers with status ${error.statusCode}`
  return 'not usable'
}

/** Elasticsearch's ids of blocks, by their meaning. */
type Blocks = Record<string, { readonly levels: readonly string[] }>
interface BlocksAnswer {
  readonly blocks?: { readonly global?: Blocks; readonly indices?: Record<string, Blocks> }
}

/** `index.blocks.read_only_allow_delete`, which Elasticsearch sets when a disk is nearly full. */
const FLOOD = '12'

/** Why our indices cannot be written, or undefined when they can. */
async function writeBlock(elastic: Elastic): Promise<string | undefined> {
  const names = elastic.indexName('*')
  const { blocks = {} } = await elastic.client.transport.request<BlocksAnswer>(
    {
      method: 'GET',
      path: '/_cluster/state/blocks',
      querystring: { filter_path: `blocks.global,blocks.indices.${names}` },
    },
    HEALTH,
  )
  const indices = Object.entries(blocks.indices ?? {}).filter(([, found]) => forbidsWrites(found))
  // An index left by a migration keeps its block, but no longer has an alias.
  const used = await aliased(elastic, indices)
  const found = [...used, ...(blocks.global ? [blocks.global] : [])].filter(forbidsWrites)
  if (found.length === 0) return undefined
  return found.some((block) => FLOOD in block)
    ? 'refuses writes, since its disk is nearly full'
    : 'refuses writes'
}

const forbidsWrites = (blocks: Blocks): boolean =>
  Object.values(blocks).some(({ levels }) => levels.includes('write'))

async function aliased(
  { client }: Elastic,
  indices: readonly (readonly [string, Blocks])[],
): Promise<Blocks[]> {
  if (indices.length === 0) return []
  const found = await client.indices.getAlias(
    { index: indices.map(([index]) => index), ignore_unavailable: true },
    ALIASES,
  )
  return indices
    .filter(([index]) => Object.keys(found[index]?.aliases ?? {}).length > 0)
    .map(([, blocks]) => blocks)
}
