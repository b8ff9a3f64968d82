import { errors } from '@elastic/elasticsearch'
import { limits } from '../limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { perOwner } from '../platform/per-owner.ts'
import type { Elastic } from './client.ts'

/** Both, one after the other, leave time for the answer. */
const HEALTH = { requestTimeout: 1_500 } as const
const ALIASES = { requestTimeout: 1_000 } as const

/** What can be said of Elasticsearch, and how far this machine's clock is ahead of its own. */
export interface Health {
  /** `ok` with the cluster's state, or what is wrong. */
  readonly elasticsearch: string
  /** Whole seconds, negative where ours is behind; undefined when it was not found out. */
  readonly clockAhead?: number
}

const askingOf = perOwner<Elastic, { answer?: Promise<Health> | undefined }>(() => ({}))

/** Asked once for all who ask at the same time, never remembered. Never throws. */
export function clusterHealth(elastic: Elastic, clock: Clock): Promise<Health> {
  const asking = askingOf(elastic)
  asking.answer ??= askHealth(elastic, clock).finally(() => {
    asking.answer = undefined
  })
  return asking.answer
}

async function askHealth(elastic: Elastic, clock: Clock): Promise<Health> {
  try {
    const asked = clock.now().getTime()
    const [[line], block] = await Promise.all([
      elastic.client.cat.health({ format: 'json', h: ['status', 'epoch'] }, HEALTH),
      writeBlock(elastic),
    ])
    const clockAhead = secondsAhead({
      asked,
      answered: clock.now().getTime(),
      epoch: Number(line?.epoch),
    })
    return { elasticsearch: inWords(line?.status ?? 'unknown', block), clockAhead }
  } catch (error) {
    return { elasticsearch: failure(error) }
  }
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

/** Elasticsearch's numbers of blocks, by what they are. */
type Blocks = Record<string, { readonly levels: readonly string[] }>
interface BlocksAnswer {
  readonly blocks?: { readonly global?: Blocks; readonly indices?: Record<string, Blocks> }
}

/** `index.blocks.read_only_allow_delete`, which Elasticsearch sets when a disk is nearly full. */
const FLOOD = '12'

/** What keeps our indices from being written, or undefined when nothing does. */
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
  // An index that a migration left behind keeps its block, and has no alias any more.
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

/** What a clock says: `epoch` in whole seconds, the rest in milliseconds of our own. */
interface Reading {
  readonly asked: number
  readonly answered: number
  readonly epoch: number
}

/**
 * How far our clock is ahead of the other, in whole seconds: 0 while it may be right, since the
 * other was read at some moment between the question and its answer.
 */
export function secondsAhead({ asked, answered, epoch }: Reading): number {
  const [earliest, latest] = [epoch * 1_000, (epoch + 1) * 1_000]
  if (asked > latest) return Math.round((asked - latest) / 1_000)
  return answered < earliest ? Math.round((answered - earliest) / 1_000) : 0
}

/** What is wrong with our clock, or undefined when it is right to some seconds. */
export function clockWarning(ahead: number | undefined): string | undefined {
  if (ahead === undefined || Math.abs(ahead) * 1_000 <= limits.clockApartMs) return undefined
  return `${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of Elasticsearch`
}

interface Watched {
  readonly elastic: Elastic
  readonly clock: Clock
  readonly log: Log
}

/** Warns when the times that this instance stores are wrong. */
export async function checkClock({ elastic, clock, log }: Watched): Promise<void> {
  const warning = clockWarning((await clusterHealth(elastic, clock)).clockAhead)
  if (warning) log.warn(`the clock of this machine is ${warning}: set one of the two right`)
}
