import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createElastic } from '../../src/elastic/client.ts'
import { prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { bootstrapOperator } from '../../src/keys/bootstrap.ts'
import type { Services } from '../../src/operation.ts'
import { type Clock, systemClock } from '../../src/platform/clock.ts'
import { createDirectoryStore } from '../../src/platform/directory-store.ts'
import { createLog } from '../../src/platform/log.ts'
import { createService } from '../../src/service.ts'
import { OPERATOR_KEY } from './client.ts'

export interface TestService {
  readonly services: Services
  fetch(request: Request): Promise<Response>
  /** Stops what runs between requests; only for tests that restart a service. */
  stop(): Promise<void>
}

export interface TestOptions {
  readonly clock?: Clock
  /** Elasticsearch's address, when it is not the run's own. */
  readonly node?: string
  /** Folder of the FileStore; a new one when absent. */
  readonly filesFolder?: string
}

let indices: Promise<void> | undefined

/** A whole service on the run's Elasticsearch, without a socket. Calls in one process share indices. */
export async function startService(options: TestOptions = {}): Promise<TestService> {
  const elastic = createElastic({
    ...inject('elasticsearch'),
    ...(options.node === undefined ? {} : { node: options.node }),
    prefix: inject('indexPrefix'),
    shards: 1,
    replicas: 0,
  })
  indices ??= readDefinitions('index-mappings').then((all) => prepareIndices(elastic, all))
  await indices
  const folder = options.filesFolder ?? (await mkdtemp(join(tmpdir(), 'aisle-files-')))
  const service = createService({
    elastic,
    files: createDirectoryStore(folder),
    clock: options.clock ?? systemClock,
    log: createLog('fatal'),
    publicUrl: 'http://localhost:3000',
    checkAnswers: true,
  })
  await bootstrapOperator(service.services, OPERATOR_KEY)
  service.start()
  return {
    services: service.services,
    fetch: async (request) => service.fetch(request),
    stop: () => service.stop(),
  }
}
