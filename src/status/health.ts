import type { Elastic } from '../elastic/client.ts'
import { clusterHealth } from '../elastic/health.ts'
import type { Services } from '../operation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { clockWarning, secondsAhead } from './clock.ts'

/** The state of what this instance depends on, as in `elasticsearch: ok (green)`. */
export interface ConnectionStatus {
  readonly elasticsearch: string
  /** What is wrong with this machine's clock; undefined when it is right or unknown. */
  readonly clock: string | undefined
}

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
    clock: epoch ? clockWarning(secondsAhead({ asked, answered, epoch })) : undefined,
  }
}

/** Warns when this machine's clock, which stored times depend on, is wrong. */
export async function checkClock(services: Watched & Pick<Services, 'log'>): Promise<void> {
  const { clock } = await checkConnections(services)
  if (clock) services.log.warn(`the clock of this machine is ${clock}: correct one of the two`)
}
