import { randomBytes } from 'node:crypto'
import { Client } from '@elastic/elasticsearch'
import { runAttacks } from '../attacks/run.ts'
import { clusterDrill } from '../cluster/drill.ts'
import type { CallFigures } from '../cluster/load.ts'
import { isRight } from '../cluster/verdict.ts'
import { elasticsearchForTests, removeIndices } from '../support/elasticsearch.ts'
import { bulkDrill } from './bulk-drill.ts'
import { drill } from './drill.ts'
import { movesDrill } from './moves-drill.ts'
import { picturesDrill } from './pictures-drill.ts'

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Phases in which something fails. */
const FAULTS = /killed|frozen/

const [flag, ...names] = process.argv.slice(2)
if (flag && !['--bulk', '--moves', '--cluster', '--attacks'].includes(flag)) {
  say('usage: npm run soak -- [--bulk | --moves | --cluster [NAME…] | --attacks [NAME…]]')
  process.exit(2)
}
if (flag === '--cluster') process.exit((await clusterSurvives()) ? 0 : 1)
if (flag === '--attacks') process.exit((await runAttacks(names, say)) ? 0 : 1)

/** Whether two instances and a cluster of three nodes survived. */
async function clusterSurvives(): Promise<boolean> {
  const rows = number('SOAK_ROWS', 20_000)
  const awaySeconds = number('SOAK_AWAY_SECONDS', 20)
  const drilled = await clusterDrill({ prefix: 'soak', rows, awaySeconds, only: names, say })
  const { phases, ...figures } = drilled
  say(JSON.stringify(figures, null, 2))
  const { lost, doubled, imports, searches, credits } = figures
  const whole = imports.every((line) => line.endsWith(': whole'))
  const bearable = Object.entries(phases).every(([name, { search }]) =>
    isBearable(search!, FAULTS.test(name)),
  )
  const right = isRight(searches) && isRight(credits)
  const survived = lost.length + doubled.length === 0 && whole && right && bearable
  say(survived ? 'cluster: nothing lost, nothing doubled' : 'cluster: FAILED')
  return survived
}

/**
 * At most one search of a hundred fails, for five seconds at most, and says when to try again; none
 * where nodes and instances are restarted as an operator does it.
 */
function isBearable({ failed, failedFor, isClear }: CallFigures, isFault: boolean): boolean {
  return isClear && failed <= (isFault ? 0.01 : 0) && failedFor <= 5
}

const elasticsearch = await elasticsearchForTests()
const prefix = `soak-${randomBytes(4).toString('hex')}`
const common = {
  node: elasticsearch.node,
  say,
  kills: number('SOAK_KILLS', 20),
  seed: number('SOAK_SEED', Date.now() % 1_000_000),
  leaseMs: number('SOAK_LEASE_MS', 3_000),
  bulkMs: number('SOAK_BULK_MS', 300),
}
const rows = number('SOAK_ROWS', 200_000)
const freezes = number('SOAK_FREEZES', 3)
const batches = number('SOAK_BATCHES', 60)
const pictured = number('SOAK_PICTURED', 500)

/** Whether an import survived. */
async function importSurvives(): Promise<boolean> {
  const figures = await drill({ ...common, rows, freezes, prefix: `${prefix}-import` })
  say(JSON.stringify(figures, null, 2))
  const { lost, doubled, editsLost, zombieWrites, fell, miscounted, task } = figures
  const wrong = lost + doubled + editsLost + zombieWrites + fell + miscounted.length
  return wrong === 0 && task.status === 'completed'
}

/** Whether batches, offers, and updates and deletions by a search survived. */
async function bulkSurvives(): Promise<boolean> {
  const plan = { batches, size: 1_000, taskKills: 5, prefix: `${prefix}-bulk` }
  const figures = await bulkDrill({ ...common, ...plan })
  say(JSON.stringify(figures, null, 2))
  return figures.lost + figures.doubled + figures.miscounted.length === 0
}

/** Whether the pictures of a catalog survived their task. */
async function picturesSurvive(): Promise<boolean> {
  const plan = { products: pictured, taskKills: 8, prefix: `${prefix}-pictures` }
  const figures = await picturesDrill({ ...common, ...plan })
  say(JSON.stringify(figures, null, 2))
  return figures.lost + figures.doubled + figures.miscounted.length === 0
}

/** Whether a catalog survived its moves to other indices. */
async function movesSurvive(): Promise<boolean> {
  const plan = { products: 1_000, moves: [2, 0, 3, 0], prefix: `${prefix}-moves` }
  const figures = await movesDrill({ ...common, ...plan })
  say(JSON.stringify(figures, null, 2))
  return figures.lost + figures.doubled + figures.miscounted.length === 0
}

const DRILLS: Readonly<Record<string, readonly (() => Promise<boolean>)[]>> = {
  '--bulk': [bulkSurvives, picturesSurvive],
  '--moves': [movesSurvive],
}
const drills = DRILLS[flag ?? ''] ?? [importSurvives, ...Object.values(DRILLS).flat()]
say(`survival: ${JSON.stringify({ ...common, node: undefined, rows, freezes, batches, pictured })}`)
let failed = false
try {
  for (const survives of drills) failed = !(await survives()) || failed
} finally {
  await removeIndices(new Client({ node: elasticsearch.node }), prefix)
  await elasticsearch.stop()
}
say(failed ? 'survival: FAILED' : 'survival: nothing lost, nothing doubled')
process.exit(failed ? 1 : 0)
