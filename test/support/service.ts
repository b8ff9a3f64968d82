import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { CallbackSenderOptions } from '../../src/callbacks/delivery-loop.ts'
import { createElastic, type Elastic } from '../../src/elastic/client.ts'
import { prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { bootstrapOperator } from '../../src/keys/bootstrap.ts'
import type { Operation } from '../../src/operation.ts'
import { type Clock, systemClock } from '../../src/platform/clock.ts'
import { createDirectoryStore } from '../../src/platform/directory-store.ts'
import type { FileStore } from '../../src/platform/file-store.ts'
import { createLog, type Log } from '../../src/platform/log.ts'
import type { Notifier } from '../../src/platform/mail.ts'
import type { Outbound } from '../../src/platform/outbound/outbound.ts'
import type { Tracing } from '../../src/platform/tracing.ts'
import { createService, type Service, type ServiceParts } from '../../src/service.ts'
import type { SignInSettings } from '../../src/sign-in/settings.ts'
import type { RunnerOptions } from '../../src/tasks/runner.ts'
import { OPERATOR_KEY } from './client.ts'
import { endsWithFile } from './end-with-file.ts'
import { testSecrets } from './secrets.ts'

export interface TestService extends Omit<Service, 'fetch'> {
  fetch(request: Request, client?: string): Promise<Response>
}

let indices: Promise<void> | undefined

/** Prefix of a worker's indices, so that services of different workers do not interfere. */
export const workerPrefix = () => `${inject('indexPrefix')}-${process.env.VITEST_POOL_ID}`

/**
 * Creates the indices once. Changes that are not refreshed become searchable after two seconds, not
 * half of one: refreshes are a third of the engine's work in a run.
 */
export async function prepareWorkerIndices(elastic: Elastic): Promise<void> {
  indices ??= readDefinitions('index-mappings').then((all) => {
    const seldom = all.map((one) => ({
      ...one,
      settings: { ...one.settings, refresh_interval: '2s' },
    }))
    return prepareIndices(elastic, seldom)
  })
  await indices
}

/**
 * A complete service on the run's Elasticsearch, without a socket, which runs tasks. Services in
 * one process share indices; with the same `folder` they share files, and therefore tasks.
 */
export async function startService(
  options: {
    /** Nothing runs in the background. */
    idle?: boolean
    clock?: Clock
    node?: string
    folder?: string
    tasks?: Partial<RunnerOptions>
    notifier?: Notifier
    files?: FileStore
    outbound?: Outbound
    callbacks?: Partial<CallbackSenderOptions>
    rates?: ServiceParts['rates']
    answerBytes?: number
    places?: number
    /** Replicas that it believes its indices to have. */
    replicas?: number
    log?: Log
    slowSearchMs?: number
    tracing?: Tracing
    mcp?: Operation
    signIn?: SignInSettings
  } = {},
): Promise<TestService> {
  const elastic = createElastic({
    node: options.node ?? inject('elasticsearch').node,
    prefix: workerPrefix(),
    shards: 1,
    replicas: options.replicas ?? 0,
  })
  await prepareWorkerIndices(elastic)
  const service = createService({
    elastic,
    clock: options.clock ?? systemClock,
    log: options.log ?? createLog('fatal'),
    slowSearchMs: options.slowSearchMs ?? 0,
    tracing: options.tracing,
    mcp: options.mcp,
    signIn: options.signIn,
    files:
      options.files ??
      createDirectoryStore(options.folder ?? (await mkdtemp(join(tmpdir(), 'aisle-files-')))),
    publicUrl: 'http://localhost:3000',
    checkAnswers: true,
    tasks: options.tasks ?? {},
    callbacks: options.callbacks ?? {},
    secrets: testSecrets,
    ...(options.rates ? { rates: options.rates } : {}),
    ...(options.places === undefined ? {} : { places: options.places }),
    ...(options.answerBytes === undefined ? {} : { answerBytes: options.answerBytes }),
    ...(options.outbound ? { outbound: options.outbound } : {}),
    ...(options.notifier ? { notifier: options.notifier } : {}),
  })
  await bootstrapOperator(service.services, OPERATOR_KEY)
  if (!options.idle) service.start()
  return {
    ...service,
    fetch: async (request, client) => service.fetch(request, client),
    stop: endsWithFile(() => service.stop()),
  }
}
