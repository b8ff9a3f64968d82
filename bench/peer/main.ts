import { writeFile } from 'node:fs/promises'
import { randomFrom } from '../../demo/random.ts'
import type { Elastic } from '../../src/elastic/client.ts'
import { runCommand } from '../command.ts'
import { environmentLine, environmentOf } from '../environment.ts'
import { jsonOf } from '../http.ts'
import { processMemory } from '../process-figures.ts'
import { estimate, mean, ndcg } from '../relevance/metrics.ts'
import { forEach } from '../relevance/searchers.ts'
import { stopServices } from '../service.ts'
import { closeWhenInterrupted, openSession } from '../session.ts'
import { type PeerCatalog, peerCatalog } from './catalog.ts'
import { type PeerOptions, readOptions, USAGE } from './options.ts'
import { type KindRow, kindLines, type RankRow, rankLines } from './report.ts'
import { KINDS, openPeers, type Peer } from './stage.ts'
import { measureTurns } from './turns.ts'

const say = (line: string) => process.stderr.write(`peer: ${line}\n`)
const print = (lines: readonly string[]) => process.stdout.write(`${lines.join('\n')}\n\n`)

interface Total {
  readonly total?: number
  readonly data?: { readonly search: { readonly totalItems: number } }
}

/** Mean size of an answer in bytes, and mean number of hits; throws an Error if a request fails. */
async function answersOf({ target }: Peer, wires: readonly ReturnType<Peer['wire']>[]) {
  const answers = await forEach(wires, async (wire) => {
    const reply = await target.send(wire)
    const { total, data } = jsonOf<Total>(reply, String(wire.body))
    return { bytes: reply.body.length, found: total ?? data?.search.totalItems ?? 0 }
  })
  return {
    bytes: mean(answers.map(({ bytes }) => bytes)),
    found: mean(answers.map(({ found }) => found)),
  }
}

interface Measuring {
  readonly options: PeerOptions
  readonly elastic: Elastic
  readonly catalog: PeerCatalog
}

async function measureKind(
  peers: readonly Peer[],
  asked: Pick<KindRow, 'kind' | 'merged'>,
  { options, elastic, catalog }: Measuring,
): Promise<KindRow> {
  const { queries } = catalog
  const contestants = peers.map((peer) => ({
    ...peer,
    actions: queries.map((query) => [peer.wire(query, asked.kind)]),
  }))
  const answers: Awaited<ReturnType<typeof answersOf>>[] = []
  for (const { actions, ...peer } of contestants) {
    answers.push(await answersOf(peer, actions.flat()))
  }
  const figures = await measureTurns(contestants, { ...options, elastic })
  return {
    ...asked,
    queries: queries.length,
    peers: peers.map(({ name, aims }, at) => ({
      name,
      ...(aims ? { aims } : {}),
      ...answers[at]!,
      ...figures[at]!,
    })),
  }
}

async function measureRanks(peers: readonly Peer[], { ratings }: PeerCatalog): Promise<RankRow[]> {
  const rows: RankRow[] = []
  for (const { name, search } of peers) {
    if (!search) continue
    const values = await forEach([...ratings], async ([query, grades]) =>
      ndcg((await search(query)).ids, grades),
    )
    rows.push({ name, ndcg: estimate(values, randomFrom('ndcg')) })
  }
  return rows
}

async function main(options: PeerOptions): Promise<void> {
  const session = await openSession(options, say)
  closeWhenInterrupted(session, say)
  try {
    const elastic = session.elastic('aisle')
    const environment = await environmentOf(elastic)
    const catalog = await peerCatalog(options)
    const products = catalog.products.length
    print([
      environmentLine(environment),
      `${products.toLocaleString('en')} ${catalog.name} products`,
    ])
    const { peers, disk, merge, close } = await openPeers(session, catalog)
    const kinds: KindRow[] = []
    for (const merged of options.merged ? [false, true] : [false]) {
      if (merged) await merge()
      for (const kind of KINDS) {
        const row = await measureKind(peers, { kind, merged }, { options, elastic, catalog })
        kinds.push(row)
        print(kindLines(row))
      }
    }
    const ranks = catalog.ratings.size > 0 ? await measureRanks(peers, catalog) : []
    if (ranks.length > 0) print(rankLines(ranks))
    const memory: Record<string, number> = {}
    for (const [pid, [peer]] of Map.groupBy(peers, ({ pid }) => pid)) {
      memory[peer!.name] = (await processMemory(pid)).resident
    }
    print([
      `resident MiB at the end: ${Object.entries(memory)
        .map(([name, resident]) => `${name} ${resident.toFixed(0)}`)
        .join('; ')}`,
      `bytes a product on disk: Aisle ${(disk.aisle / products).toFixed(0)}, Vendure ${(disk.vendure / products).toFixed(0)}`,
    ])
    await close()
    if (options.out) {
      const results = { options, environment, products, kinds, ranks, memory, disk }
      await writeFile(options.out, `${JSON.stringify(results, null, 2)}\n`)
    }
  } finally {
    await stopServices()
    await session.close()
  }
}

await runCommand({ name: 'peer', usage: USAGE, readOptions, run: main })
