import type { Services } from '../operation.ts'
import { warnOf } from '../platform/log.ts'
import { makeCallbacks } from './made.ts'
import { deliver } from './send.ts'
import { type DueDelivery, dueDeliveries } from './store.ts'

export interface CallbackSender {
  start(): void
  /** Gives up what is under way, which is then due again, and resolves. */
  stop(): Promise<void>
}

export interface SenderOptions {
  /** How often it looks for what is due. */
  readonly pollMs: number
  /** Callbacks under way at once. */
  readonly atOnce: number
  /** Of those, of one organization: a slow receiver holds up nobody else's. */
  readonly perOrganization: number
}

const DEFAULTS: SenderOptions = { pollMs: 1_000, atOnce: 16, perOrganization: 4 }

/** Sends the callbacks of all organizations, beside other instances that do the same. */
export function createCallbackSender(
  services: Services,
  options: Partial<SenderOptions> = {},
): CallbackSender {
  const { pollMs, atOnce, perOrganization } = { ...DEFAULTS, ...options }
  const underWay = new Map<
    string,
    { readonly organization: string; readonly done: Promise<void> }
  >()
  const stopping = new AbortController()
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const ofOrganization = (id: string) =>
    [...underWay.values()].filter(({ organization }) => organization === id).length

  function begin(due: DueDelivery): void {
    const done = deliver(services, due, stopping.signal)
      .catch((error: unknown) => warnOf(services.log, 'deliver callbacks', error))
      .then((wasTried) => {
        underWay.delete(due.id)
        // One that was tried a moment ago may still be listed as due: no reason to look again.
        if (wasTried) look()
      })
    underWay.set(due.id, { organization: due.organization, done })
  }

  async function lookOnce(): Promise<void> {
    await makeCallbacks(services)
    const size = atOnce - underWay.size
    if (size <= 0) return
    const here = new Set([...underWay.values()].map(({ organization }) => organization))
    const busy = [...here].filter((id) => ofOrganization(id) >= perOrganization)
    // Some that are under way may still be listed as due.
    for (const due of await dueDeliveries(services, { busy, size: size + underWay.size })) {
      if (stopping.signal.aborted || underWay.size >= atOnce) return
      if (underWay.has(due.id) || ofOrganization(due.organization) >= perOrganization) continue
      begin(due)
    }
  }

  function look(): void {
    if (stopping.signal.aborted) return
    looking ??= lookOnce()
      .catch((error: unknown) => warnOf(services.log, 'look for callbacks', error))
      .finally(() => {
        looking = undefined
      })
  }

  return {
    start() {
      timer = setInterval(look, pollMs)
      timer.unref()
      look()
    },
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await looking
      await Promise.all([...underWay.values()].map(({ done }) => done))
    },
  }
}
