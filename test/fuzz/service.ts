import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createElastic } from '../../src/elastic/client.ts'
import { prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { listen } from '../../src/http/server.ts'
import { bootstrapOperator } from '../../src/keys/bootstrap.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createDirectoryStore } from '../../src/platform/directory-store.ts'
import { createLog } from '../../src/platform/log.ts'
import { createSecrets, newEncryptionKey } from '../../src/platform/secrets.ts'
import { createService } from '../../src/service.ts'
import { newWorld } from '../contract/world.ts'
import { OPERATOR_KEY } from '../support/client.ts'
import { elasticsearchForTests, removeIndices } from '../support/elasticsearch.ts'
import { seedExamples } from './seed.ts'

export interface Target {
  readonly address: string
  readonly organization: string
  /** Full key of an administrator, and its id. */
  readonly key: string
  readonly keyId: string
  /** Prefix of all index names, which must not appear in an answer. */
  readonly prefix: string
  stop(): Promise<void>
}

/** Starts a complete service with an organization that has what the examples refer to. */
export async function startTarget(): Promise<Target> {
  const elasticsearch = await elasticsearchForTests()
  const prefix = `fuzz-${randomBytes(4).toString('hex')}`
  const elastic = createElastic({ ...elasticsearch, prefix, shards: 1, replicas: 0 })
  await prepareIndices(elastic, await readDefinitions('index-mappings'))
  const folder = await mkdtemp(join(tmpdir(), 'aisle-fuzz-'))
  const server = await listen({ port: 0, host: '127.0.0.1', fetch: () => new Response(null) })
  const address = `http://127.0.0.1:${server.port}`
  const service = createService({
    elastic,
    files: createDirectoryStore(folder),
    clock: systemClock,
    log: createLog('error'),
    publicUrl: address,
    secrets: createSecrets(newEncryptionKey()),
  })
  await bootstrapOperator(service.services, OPERATOR_KEY)
  server.answerWith(service.fetch)
  service.start()
  const tested = { ...service, fetch: async (request: Request) => service.fetch(request) }
  const world = await newWorld(tested)
  await seedExamples(tested, world.organization)
  const { body } = await world.call('POST /api/KeyAuth/keys', { body: { name: 'fuzz' } })
  return {
    address,
    prefix,
    organization: world.organization.id,
    key: body.key,
    keyId: body.id,
    async stop() {
      await server.close()
      await service.stop()
      await removeIndices(elastic.client, prefix)
      await rm(folder, { recursive: true, force: true })
      await elasticsearch.stop()
    },
  }
}
