import { join } from 'node:path'
import {
  answerBytesOf,
  type Config,
  elasticsearchOf,
  fileStoreOf,
  indicesOf,
  readConfig,
  signInOf,
} from './config.ts'
import { loadDemo } from './demo/load.ts'
import { warmUp } from './demo/warm-up.ts'
import { createElastic } from './elastic/client.ts'
import { checkClusterSettings } from './elastic/cluster-settings.ts'
import { prepareIndices, readDefinitions } from './elastic/indices.ts'
import { checkRetention } from './elastic/retention.ts'
import { checkAnalysis } from './engine/analysis-check.ts'
import { refusedAction } from './engine/connection-check.ts'
import { type ElasticsearchInstance, provideElasticsearch } from './engine/provider.ts'
import { StartupFailure } from './errors.ts'
import { proxiesOf } from './http/client-address.ts'
import { type HttpServer, listen } from './http/server.ts'
import { bootstrapOperator } from './keys/bootstrap.ts'
import { limits } from './limits.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { systemClock } from './platform/clock.ts'
import { openDataFolder } from './platform/data-folder.ts'
import { keptEncryptionKey } from './platform/encryption-key.ts'
import { createLog, type Log } from './platform/log.ts'
import { logNotifier, senderAt, smtpNotifier } from './platform/mail.ts'
import { openFileStore } from './platform/open-file-store.ts'
import { createOutbound } from './platform/outbound/outbound.ts'
import { retryWhileUnavailable } from './platform/retry.ts'
import { createSecrets } from './platform/secrets.ts'
import type { Tracing } from './platform/tracing.ts'
import { createService, type Service } from './service.ts'
import { failed } from './shapes.ts'
import { signInSettings } from './sign-in/settings.ts'
import { withoutEnd } from './text.ts'

/** Milliseconds that requests, tasks and the engine together may take to end. */
const STOP_MS = 15_000
/** Milliseconds after which a further signal ends the process at once. */
const INSIST_MS = 1_000
const NPM_CHECK_MS = 500

const say = (line: string) => process.stdout.write(`aisle: ${line}\n`)

/** Ends what is running so far, in reverse order, however far the start has come. */
const cleanups: (() => Promise<unknown>)[] = []

let stopping = false

async function stop(status: number): Promise<void> {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(status || 1), STOP_MS)
  for (const cleanup of cleanups.reverse()) await cleanup().catch(() => undefined)
  process.exit(status)
}

/** Answers while Elasticsearch starts: alive, but not ready. */
const starting = (request: Request): Response =>
  new URL(request.url).pathname === '/api/status'
    ? new Response('starting')
    : Response.json(failed('Starting. Try again shortly.'), {
        status: 503,
        headers: { 'retry-after': '2' },
      })

async function connect(config: Config): Promise<ElasticsearchInstance> {
  const instance = await provideElasticsearch(elasticsearchOf(config), { say })
  cleanups.push(() => instance.stop())
  instance.exited.then((sentence) => {
    say(sentence)
    void stop(1)
  })
  return instance
}

async function assemble(config: Config, instance: ElasticsearchInstance, server: HttpServer) {
  const elastic = createElastic({ ...instance, ...indicesOf(config) })
  const definitions = await readDefinitions()
  checkRetention(config.RETENTION_MONTHS, definitions)
  const analyses = definitions.flatMap(({ settings }) => settings.analysis ?? [])
  await retryWhileUnavailable(limits.startWaitMs, async () => {
    await checkClusterSettings(elastic.client)
    await checkAnalysis(elastic.client, analyses)
    await prepareIndices(elastic, definitions)
  })
  say('indices ready')
  const log = createLog(config.LOG_LEVEL)
  cleanups.push(async () => log.end())
  // The mistake of one request or task, whose failure nobody waits for, does not end the others.
  process.on('unhandledRejection', (err) => log.error({ err }, 'a failure was not handled'))
  const publicUrl = config.PUBLIC_URL
    ? withoutEnd(config.PUBLIC_URL, '/')
    : addressOf(config, server)
  const tracing = await tracingOf(config, log)
  const from = config.MAIL_FROM ?? senderAt(publicUrl)
  const service = createService({
    elastic,
    files: await openFileStore(fileStoreOf(config)),
    clock: systemClock,
    log,
    notifier: config.SMTP_URL ? smtpNotifier({ url: config.SMTP_URL, from }) : logNotifier(log),
    outbound: createOutbound({ allow: config.OUTBOUND_ALLOW, log, tracing }),
    secrets: createSecrets(config.ENCRYPTION_KEY ?? (await keptEncryptionKey(config.DATA_DIR))),
    rates: { byAddress: config.RATE_BY_ADDRESS, byKey: config.RATE_BY_KEY },
    places: config.REQUEST_PLACES,
    answerBytes: answerBytesOf(config),
    slowSearchMs: config.SLOW_SEARCH_MS,
    tracing,
    mcp: config.MCP ? await models() : undefined,
    signIn: signInSettings(signInOf(config)),
    retention: config.RETENTION_MONTHS,
    publicUrl,
  })
  cleanups.push(() => service.stop())
  return service
}

/** The module is loaded only when tracing is configured. */
async function tracingOf(config: Config, log: Log): Promise<Tracing | undefined> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return undefined
  const { createTracing } = await import('./platform/opentelemetry.ts')
  const tracing = createTracing({
    endpoint: withoutEnd(endpoint, '/'),
    serviceName: config.OTEL_SERVICE_NAME,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    log,
  })
  cleanups.push(() => tracing.stop())
  return tracing
}

/** The module is loaded only when the configuration asks for it. */
async function models(): Promise<Operation> {
  const { mcpOperation } = await import('./mcp/operation.ts')
  return mcpOperation(operations)
}

const addressOf = ({ HOST }: Config, { port }: HttpServer): string =>
  `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`

/** The last lines of a start: the keys, the address, and a request that works when pasted. */
async function introduce(config: Config, service: Service, embedded: boolean): Promise<void> {
  const { services } = service
  service.start()
  const demo =
    (config.DEMO ?? embedded)
      ? await loadDemo(services, { say, keyFile: join(config.DATA_DIR, 'demo-key') })
      : undefined
  if (demo) service.showDemo(demo)
  say(`listening at ${services.publicUrl}`)
  say(`storefront: ${services.publicUrl}/`)
  say(`console: ${services.publicUrl}/console`)
  say(`API reference: ${services.publicUrl}/docs`)
  for (const issuer of service.signIn?.issuers ?? []) {
    const isUsable = await issuer.endpoints().then(
      () => true,
      () => false,
    )
    say(
      isUsable ? `sign-in: ${issuer.name}` : `sign-in: ${issuer.name} is unavailable (see the log)`,
    )
  }
  if (['0.0.0.0', '::'].includes(config.HOST) && config.PUBLIC_URL === undefined) {
    say('set PUBLIC_URL to the URL that callers use: URLs in responses begin with it')
  }
  if (!demo) {
    say(`try: curl ${services.publicUrl}/api/status/connections`)
    return
  }
  say(`search-only key of the demo: ${demo.key}`)
  say('try it:')
  process.stdout.write(
    [
      `curl '${services.publicUrl}/api/search?catalog=demo'`,
      `-H 'x-api-version: 6.0' -H 'authorization: Bearer ${demo.key}'`,
      `-H 'content-type: application/json' -d '{"keywords":"cordless drill","pageSize":2}'\n`,
    ].join(' '),
  )
  if (stopping) return
  const warming = new AbortController()
  cleanups.push(async () => warming.abort())
  services.background.run('warm-up', () => warmUp(services, warming.signal))
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const server = await listen({
    port: config.PORT,
    host: config.HOST,
    proxies: proxiesOf(config.TRUSTED_PROXIES ?? ''),
    fetch: starting,
  })
  cleanups.push(() => server.close())
  const folder = await openDataFolder(config.DATA_DIR)
  cleanups.push(() => folder.release())
  const instance = await connect(config)
  const service = await assemble(config, instance, server)
  // Before the first request is answered, so that the first key works from the beginning.
  const operatorKey = await bootstrapOperator(service.services, config.BOOTSTRAP_API_KEY)
  if (operatorKey) say(`operator key (shown only once): ${operatorKey}`)
  server.answerWith(service.fetch)
  // Requests under way are answered before what they need is closed.
  cleanups.push(() => server.close())
  await introduce(config, service, instance.kind === 'embedded')
}

/** Ends the service on a signal, and at once on another one a second later or more. */
function endOnSignals(): void {
  let asked: number | undefined
  const end = () => {
    // Ctrl-C arrives twice under npm: from the terminal, and passed on by npm.
    if (asked !== undefined && performance.now() - asked < INSIST_MS) return
    if (stopping) process.exit(1)
    asked = performance.now()
    say('stopping')
    void stop(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end)
}

/** Ends the service when `npm start` has ended without passing on a signal, as after kill -9. */
function endWithNpm(): void {
  if (process.env.npm_lifecycle_event !== 'start') return
  const npm = process.ppid
  const gone = () => process.ppid !== npm && stop(0)
  setInterval(gone, NPM_CHECK_MS).unref()
}

endOnSignals()
endWithNpm()

main().catch((error: unknown) => {
  if (stopping) return
  const sentence = error instanceof StartupFailure ? error.message : refusedAction(error)
  process.stderr.write(`aisle: ${sentence ?? `could not start: ${String(error)}`}\n`)
  void stop(1)
})
