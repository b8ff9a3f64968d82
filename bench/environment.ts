import { cpus, totalmem } from 'node:os'
import type { Elastic } from '../src/elastic/client.ts'

/** The machine and versions of a run, without which its figures cannot be compared. */
export interface Environment {
  readonly time: string
  readonly node: string
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly elasticsearch: string
  readonly heapMiB: number
}

export async function environmentOf({ client }: Elastic): Promise<Environment> {
  const { nodes } = await client.nodes.info({ metric: ['jvm'] })
  const node = Object.values(nodes)[0]!
  return {
    time: new Date().toISOString(),
    node: process.version,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    elasticsearch: node.version,
    heapMiB: Math.round((node.jvm?.mem.heap_max_in_bytes ?? 0) / 1024 ** 2),
  }
}

export const environmentLine = (found: Environment): string =>
  [
    `Node ${found.node}`,
    `Elasticsearch ${found.elasticsearch} with ${found.heapMiB} MiB heap`,
    `${found.cores} cores of ${found.cpu}`,
    `${found.memoryGiB} GiB`,
    found.time,
  ].join(', ')
