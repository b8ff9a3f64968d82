import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createElastic } from '../../src/elastic/client.ts'
import { type IndexDefinition, prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { listen } from '../../src/http/server.ts'
import { bootstrapOperator } from '../../src/keys/bootstrap.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createDirectoryStore } from '../../src/platform/directory-store.ts'
import { createLog } from '../../src/platform/log.ts'
import type { Outbound } from '../../src/platform/outbound/outbound.ts'
import { createService, type Service } from '../../src/service.ts'
import type { SignInSettings } from '../../src/sign-in/settings.ts'
import { OPERATOR_KEY } from './client.ts'
import { endsWithFile } from './end-with-file.ts'
import { testSecrets } from './secrets.ts'
import { prepareWorkerIndices, workerPrefix } from './service.ts'

export interface Standalone extends Omit<Service, 'fetch'> {
  readonly address: string
  fetch(request: Request): Promise<Response>
}

export interface StandaloneOptions {
  /** Uses the indices of its worker, together with all other services there. */
  readonly shared?: boolean
  /** Services with the same folder share files. */
  readonly folder?: string
  /** Definitions of the indices, if they are of another version. */
  readonly definitions?: readonly IndexDefinition[]
  readonly outbound?: Outbound
  readonly signIn?: SignInSettings | undefined
}

/** Starts a service on a free port, by default with separate indices, which runs tasks. */
export async function startStandalone(
  name: string,
  { shared = false, folder, definitions, outbound, signIn }: StandaloneOptions = {},
): Promise<Standalone> {
  const elastic = createElastic({
    node: inject('elasticsearch').node,
    prefix: shared ? workerPrefix() : `${inject('indexPrefix')}-${name}`,
    shards: 1,
    replicas: 0,
  })
  await (shared
    ? prepareWorkerIndices(elastic)
    : prepareIndices(elastic, definitions ?? (await readDefinitions('index-mappings'))))
  const server = await listen({ port: 0, host: '127.0.0.1', fetch: () => new Response(null) })
  const address = `http://127.0.0.1:${server.port}`
  const service = createService({
    elastic,
    files: createDirectoryStore(folder ?? (await mkdtemp(join(tmpdir(), `aisle-${name}-`)))),
    clock: systemClock,
    log: createLog('fatal'),
    publicUrl: address,
    secrets: testSecrets,
    ...(outbound ? { outbound } : {}),
    signIn,
    checkAnswers: true,
  })
  await bootstrapOperator(service.services, OPERATOR_KEY)
  server.answerWith(service.fetch)
  service.start()
  return {
    ...service,
    address,
    fetch: async (request) => service.fetch(request),
    stop: endsWithFile(async () => {
      await server.close()
      await service.stop()
    }),
  }
}
