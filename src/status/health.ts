import type { Elastic } from '../elastic/client.ts'
import { clusterHealth } from '../elastic/health.ts'
import type { Services } from '../operation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { clockWarning, secondsAhead } from './clock-skew.ts'

/** The state of what this instance depends on, as in `elasticsearch: ok (green)`. */
export interface ConnectionStatus {
  readonly elasticsearch: string
  /** How far this machine's clock is ahead of Elasticsearch's; 0 if they agree or it is unknown. */
  readonly secondsAhead: number
}

const USABLE_SECONDS = 3_600

type Watched = Pick<Services, 'elastic' | 'clock'>

const askingOf = memoizeWeak<Elastic, { answer?: Promise<ConnectionStatus> | undefined }>(
  () => ({}),
)

/** Concurrent callers share one check; nothing is cached. Never throws. */
export function checkConnections(services: Watched): Promise<ConnectionStatus> {
  const asking = askingOf(services.elastic)
  asking.answer ??= ask(services).finally(() => {
    asking.answer = undefined
  })
  return asking.answer
}

async function ask({ elastic, clock }: Watched): Promise<ConnectionStatus> {
  const asked = clock.now().getTime()
  const { state, epoch } = await clusterHealth(elastic)
  const answered = clock.now().getTime()
  return {
    elasticsearch: state,
    secondsAhead: epoch ? secondsAhead({ asked, answered, epoch }) : 0,
  }
}

/**
 * Whether this machine's clock may decide what is old enough to be deleted, and what is due: not
 * when it differs by more than an hour from Elasticsearch's.
 */
export async function isClockUsable(services: Watched): Promise<boolean> {
  const { secondsAhead: ahead } = await checkConnections(services)
  return Math.abs(ahead) <= USABLE_SECONDS
}

/** Warns when this machine's clock, which stored times depend on, is wrong. */
export async function checkClock(services: Watched & Pick<Services, 'log'>): Promise<void> {
  const { secondsAhead: ahead } = await checkConnections(services)
  const clock = clockWarning(ahead)
  if (clock) services.log.warn(`the clock of this machine is ${clock}: correct one of the two`)
}
