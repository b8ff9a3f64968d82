import { createApp } from './app.ts'
import { noteSignIn } from './audit/sign-in.ts'
import { runSelection } from './bulk/run-selection.ts'
import { SELECTION_KIND } from './bulk/selection-job.ts'
import { type CallbackSenderOptions, createCallbackSender } from './callbacks/delivery-loop.ts'
import type { DemoAccess } from './demo/load.ts'
import { createAnswerCache } from './elastic/answer-cache.ts'
import { observeCalls } from './elastic/observed-calls.ts'
import type { Retention } from './elastic/retention.ts'
import { EXPORT_KIND } from './exports/job.ts'
import { runExport } from './exports/run.ts'
import { limitByAddress } from './http/address-rate-limit.ts'
import { requestKeys } from './http/request-keys.ts'
import type { Fetch } from './http/server.ts'
import { runInstalled } from './imports/installed/run.ts'
import { INSTALLED_KIND } from './imports/installed/start.ts'
import { PICTURES_KIND } from './imports/pictures/job.ts'
import { runPictures } from './imports/pictures/run.ts'
import { runImport } from './imports/run.ts'
import { IMPORT_KIND } from './imports/start.ts'
import { removeOrphanedInstallations } from './installations/orphaned-installations.ts'
import { isKnownKey } from './keys/active-key.ts'
import { authenticateBy } from './keys/authenticate.ts'
import { limits } from './limits.ts'
import { MOVE_KIND } from './moves/job.ts'
import { runMove } from './moves/run.ts'
import type { Operation, Services } from './operation.ts'
import { operations } from './operations.ts'
import { type Admission, createAdmission } from './platform/admission.ts'
import { createBackground } from './platform/background.ts'
import { createHitCache } from './platform/cache.ts'
import { logNotifier, type Notifier } from './platform/mail.ts'
import { createMetrics } from './platform/metrics.ts'
import { createOutbound, type Outbound } from './platform/outbound/outbound.ts'
import { createRateLimiter } from './platform/rate-limiter.ts'
import type { SignInSettings } from './sign-in/settings.ts'
import { createSignIn, type SignIn } from './sign-in/sign-in.ts'
import { createTaskRunner, type RunnerOptions } from './tasks/runner.ts'
import type { TaskRun } from './tasks/task.ts'
import { startUpkeep } from './upkeep.ts'

/** The task runs by kind. */
const taskKinds: Readonly<Record<string, TaskRun>> = {
  [EXPORT_KIND]: runExport,
  [IMPORT_KIND]: runImport,
  [INSTALLED_KIND]: runInstalled,
  [MOVE_KIND]: runMove,
  [PICTURES_KIND]: runPictures,
  [SELECTION_KIND]: runSelection,
}

export interface ServiceParts
  extends Pick<
    Services,
    'elastic' | 'files' | 'clock' | 'log' | 'publicUrl' | 'secrets' | 'tracing'
  > {
  /** The public internet when absent. */
  readonly outbound?: Outbound
  /** Sends mail; only writes to the log when absent. */
  readonly notifier?: Notifier
  /** The operation that answers models at /mcp. */
  readonly mcp?: Operation | undefined
  /** The issuers whose tokens are accepted besides keys; none when absent. */
  readonly signIn?: SignInSettings | undefined
  /** Compare every answer with its declared schema; for tests. */
  readonly checkAnswers?: boolean
  readonly tasks?: Partial<RunnerOptions>
  readonly callbacks?: Partial<CallbackSenderOptions>
  /** Requests per second from one address and with one key; absent or 0: unlimited. */
  readonly rates?: { readonly byAddress: number; readonly byKey: number }
  /** Places for requests under way; limits.requestPlaces when absent. */
  readonly places?: number
  /**
   * Maximum characters of cached answers to searches; limits.keptAnswerBytes when absent, 0: no
   * cache.
   */
  readonly answerBytes?: number
  /** Searches of Elasticsearch that take longer are logged with their body; absent or 0: none. */
  readonly slowSearchMs?: number
  /** How long logs are kept; forever when absent. */
  readonly retention?: Retention
}

/** One instance of Aisle, without its socket and its Elasticsearch. */
export interface Service {
  readonly services: Services
  readonly signIn: SignIn | undefined
  readonly fetch: Fetch
  /** Starts what runs between requests. */
  start(): void
  /** Lets the storefront show a catalog without a key. */
  showDemo(access: DemoAccess): void
  /** Finishes or releases what runs, then resolves. */
  stop(): Promise<void>
}

/** A waiting request costs less than one that is refused and repeated at once. */
const WAITING = {
  waiting: limits.requestsWaiting,
  ownerWaiting: limits.organizationWaiting,
  waitMs: limits.requestWaitMs,
}

/**
 * An organization has a quarter of the places while others are active, and three quarters
 * otherwise. It rests after work that takes much processor time.
 */
const requestPlaces = (places: number): Admission =>
  createAdmission({
    capacity: places,
    share: Math.floor(places / 4),
    aloneShare: Math.floor((places * 3) / 4),
    ...WAITING,
    rests: true,
    what: 'places of requests',
  })

const bounded = (capacity: number, share: number, what: string): Admission =>
  createAdmission({ capacity, share, ...WAITING, what })

/** Assembles a service; nothing runs before `start`. */
export function createService({
  checkAnswers = false,
  mcp,
  signIn: people,
  tasks = {},
  callbacks = {},
  notifier,
  outbound,
  rates = { byAddress: 0, byKey: 0 },
  places = limits.requestPlaces,
  answerBytes = limits.keptAnswerBytes,
  slowSearchMs = 0,
  retention,
  ...parts
}: ServiceParts): Service {
  const metrics = createMetrics()
  const unobserve = observeCalls({ ...parts, metrics, slowSearchMs })
  const services: Services = {
    ...parts,
    metrics,
    cache: createHitCache(parts.clock, (kind, result) => metrics.caches.inc({ kind, result })),
    answers: createAnswerCache(parts.elastic, {
      most: answerBytes,
      freeze: checkAnswers,
      onLookup: (result) => metrics.caches.inc({ kind: 'search', result }),
    }),
    background: createBackground(parts.log),
    notifier: notifier ?? logNotifier(parts.log),
    outbound: outbound ?? createOutbound({ log: parts.log, tracing: parts.tracing }),
    keyRates: createRateLimiter(parts.clock, rates.byKey),
    ownRates: createRateLimiter(parts.clock, 0),
    signedRates: createRateLimiter(parts.clock, rates.byKey),
    requests: requestPlaces(places),
    bodies: bounded(limits.heldBodyBytes, limits.organizationBodyBytes, 'bytes of request bodies'),
    uploads: bounded(Infinity, limits.uploadsInFlight, 'uploads'),
    wakeTasks: () => runner.wake(),
    wakeCallbacks: (again) => sender.wake(again),
    userLeft: (username) => removeOrphanedInstallations(services, { username }),
    noteSignIn,
  }
  const runner = createTaskRunner(services, taskKinds, tasks)
  const sender = createCallbackSender(services, callbacks)
  const { requests } = services
  metrics.gauge('requests_in_flight', 'Request places in use.', () => requests.load().underWay)
  metrics.gauge('requests_waiting', 'Requests waiting for a place.', () => requests.load().waiting)
  metrics.gauge('kept_answer_bytes', 'Size of the cached search responses, in characters.', () =>
    services.answers.size(),
  )
  metrics.gauge('tasks_running', 'Tasks that run on this instance.', runner.running)
  let upkeep: ReturnType<typeof startUpkeep> | undefined
  let demo: DemoAccess | undefined
  const signIn = people && createSignIn(people, services)
  const addressRates = createRateLimiter(parts.clock, rates.byAddress)
  const keys = requestKeys(mcp ? [...operations, mcp] : operations)
  const app = createApp({
    services,
    operations,
    keys,
    authenticate: authenticateBy(signIn),
    chargeAddress: addressRates.charge,
    demo: () => demo,
    mcp,
    signIn,
    checkAnswers,
  })
  const bound = limitByAddress((request, client) => app.fetch(request, { client }), {
    log: parts.log,
    keys,
    rates: addressRates,
    isKnown: (secret) => isKnownKey(services, secret),
    onRefused: () => metrics.refusedByAddress.inc(),
  })
  return {
    services,
    signIn,
    fetch: bound,
    start() {
      runner.start()
      sender.start()
      upkeep = startUpkeep(services, retention)
    },
    showDemo(access) {
      demo = access
    },
    async stop() {
      await Promise.all([runner.stop(), sender.stop(), upkeep?.stop()])
      await services.background.settled()
      unobserve()
    },
  }
}
