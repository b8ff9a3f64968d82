import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createElastic } from '../../src/elastic/client.ts'
import { prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createDirectoryStore } from '../../src/platform/directory-store.ts'
import { createLog } from '../../src/platform/log.ts'
import { createService, type Service } from '../../src/service.ts'
import { testSecrets } from './secrets.ts'

const KINDS = ['keys', 'organizations', 'catalogs']

/** Starts instances with indices of their own that have not had any calls. */
export async function freshInstances(instances: number): Promise<Service[]> {
  const { node } = inject('elasticsearch')
  const prefix = `${inject('indexPrefix')}-${crypto.randomUUID().slice(0, 8)}`
  const elastics = Array.from({ length: instances }, () =>
    createElastic({ node, prefix, shards: 1, replicas: 0 }),
  )
  const definitions = await readDefinitions('index-mappings')
  await prepareIndices(
    elastics[0]!,
    definitions.filter(({ kind }) => KINDS.includes(kind)),
  )
  const files = createDirectoryStore(await mkdtemp(join(tmpdir(), 'aisle-files-')))
  const log = createLog('fatal')
  const parts = { files, clock: systemClock, log, publicUrl: 'http://x', secrets: testSecrets }
  return elastics.map((elastic) => createService({ ...parts, elastic, checkAnswers: true }))
}
