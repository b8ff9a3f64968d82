import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createApp } from '../../src/app.ts'
import { createElastic } from '../../src/elastic/client.ts'
import { prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { authenticate } from '../../src/keys/authenticate.ts'
import { bootstrapOperator } from '../../src/keys/bootstrap.ts'
import { limits } from '../../src/limits.ts'
import type { Services } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { createBackground } from '../../src/platform/background.ts'
import { createHitCache } from '../../src/platform/cache.ts'
import { type Clock, systemClock } from '../../src/platform/clock.ts'
import { createDirectoryStore } from '../../src/platform/directory-store.ts'
import { createInFlight } from '../../src/platform/inflight.ts'
import { createLog } from '../../src/platform/log.ts'
import { OPERATOR_KEY } from './client.ts'

export interface TestService {
  readonly services: Services
  fetch(request: Request): Promise<Response>
}

let indices: Promise<void> | undefined

/** A whole service on the run's Elasticsearch, without a socket. Calls in one process share indices. */
export async function startService(options: { clock?: Clock; node?: string } = {}): Promise<TestService> {
  const elastic = createElastic({
    node: options.node ?? inject('elasticsearch').node,
    prefix: inject('indexPrefix'),
    shards: 1,
    replicas: 0,
  })
  indices ??= readDefinitions('index-mappings').then((all) => prepareIndices(elastic, all))
  await indices
  const clock = options.clock ?? systemClock
  const log = createLog('fatal')
  const services: Services = {
    elastic,
    clock,
    log,
    files: createDirectoryStore(await mkdtemp(join(tmpdir(), 'aisle-files-'))),
    cache: createHitCache(clock),
    background: createBackground(log),
    searches: createInFlight(limits.searchesInFlight),
    publicUrl: 'http://localhost:3000',
    wakeTasks: () => {},
  }
  await bootstrapOperator(services, OPERATOR_KEY)
  const app = createApp({ services, operations, authenticate, checkAnswers: true })
  return { services, fetch: async (request) => app.fetch(request) }
}
