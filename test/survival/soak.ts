import { randomBytes } from 'node:crypto'
import { Client } from '@elastic/elasticsearch'
import { runAttacks } from '../attacks/run.ts'
import { elasticsearchForTests, removeIndices } from '../support/elasticsearch.ts'
import { drill } from './drill.ts'

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)

const say = (line: string) => process.stdout.write(`${line}\n`)

const [flag, ...names] = process.argv.slice(2)
if (flag === '--attacks') process.exit((await runAttacks(names, say)) ? 0 : 1)

const elasticsearch = await elasticsearchForTests()
const prefix = `soak-${randomBytes(4).toString('hex')}`
const given = {
  rows: number('SOAK_ROWS', 200_000),
  kills: number('SOAK_KILLS', 20),
  freezes: number('SOAK_FREEZES', 3),
  seed: number('SOAK_SEED', Date.now() % 1_000_000),
  leaseMs: number('SOAK_LEASE_MS', 3_000),
  bulkMs: number('SOAK_BULK_MS', 300),
}
say(`survival: ${JSON.stringify(given)}`)
let failed = true
try {
  const figures = await drill({ ...given, node: elasticsearch.node, prefix, say })
  say(JSON.stringify(figures, null, 2))
  const { lost, doubled, editsLost, zombieWrites, fell, miscounted, task } = figures
  failed =
    lost + doubled + editsLost + zombieWrites + fell + miscounted.length > 0 ||
    task.status !== 'completed'
} finally {
  await removeIndices(new Client({ node: elasticsearch.node }), prefix)
  await elasticsearch.stop()
}
say(failed ? 'survival: FAILED' : 'survival: nothing lost, nothing doubled')
process.exit(failed ? 1 : 0)
