import { LRUCache } from 'lru-cache'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { logFailure } from '../platform/log.ts'
import { periodically } from '../platform/periodic.ts'
import { createDeliveries } from './create-deliveries.ts'
import { deliver } from './deliver.ts'
import { type DueDelivery, dueDeliveries } from './store.ts'

export interface CallbackSenderOptions {
  /** How often it looks for deliveries that are due again, or that other instances left. */
  readonly pollMs: number
  /** Callbacks under way at once; 0 leaves them to other instances. */
  readonly atOnce: number
  /**
   * Of these, per organization with its sub-organizations, so that a slow receiver delays only its
   * own.
   */
  readonly perOrganization: number
}

/** Milliseconds after which the index reliably shows an attempted delivery. */
const SHOWN_MS = 1_000
/** Receivers that are known not to respond; others are forgotten. */
const SILENT = 1_000

const DEFAULTS: CallbackSenderOptions = { pollMs: 1_000, atOnce: 16, perOrganization: 4 }

/** Sends the callbacks of all organizations. Several instances may do so at once. */
export function createCallbackSender(
  services: Services,
  options: Partial<CallbackSenderOptions> = {},
) {
  const { pollMs, atOnce, perOrganization } = { ...DEFAULTS, ...options }
  const underWay = new Map<string, DueDelivery & { done: Promise<void> }>()
  /** Attempt times of deliveries that the index may still show as due. */
  const tried = new Map<string, number>()
  /** Receivers that did not respond to the latest attempt of this instance. */
  const silent = new LRUCache<string, true>({ max: SILENT })
  let looks: ReturnType<typeof periodically> | undefined

  const ofFamily = (id: string) =>
    [...underWay.values()].filter(({ family }) => family === id).length

  function begin(due: DueDelivery, signal: AbortSignal): void {
    const note = (hasResponded: boolean | undefined) => {
      if (due.receiver === undefined || hasResponded === undefined) return
      if (hasResponded) silent.delete(due.receiver)
      else silent.set(due.receiver, true)
    }
    const done = deliver(services, due, signal)
      .then(note)
      .catch((error: unknown) => logFailure(services.log, 'deliver callbacks', error))
      .then(() => {
        underWay.delete(due.id)
        tried.set(due.id, performance.now())
        looks?.now()
      })
    underWay.set(due.id, { ...due, done })
  }

  async function look(signal: AbortSignal): Promise<void> {
    await createDeliveries(services)
    const size = atOnce - underWay.size
    if (size <= 0) return
    const here = [...underWay.values()]
    const families = [...new Set(here.map(({ family }) => family))]
    const known = [...tried.keys()]
    const listed = await dueDeliveries(services, {
      full: families.filter((id) => ofFamily(id) >= perOrganization),
      families,
      organizations: [...new Set(here.map(({ organization }) => organization))],
      silent: [...silent.keys()],
      size: size + here.length + known.length,
    })
    forgetShown(known, new Set(listed.map(({ id }) => id)))
    for (const due of listed) {
      if (signal.aborted || underWay.size >= atOnce) return
      if (underWay.has(due.id) || tried.has(due.id)) continue
      if (ofFamily(due.family) >= perOrganization) continue
      begin(due, signal)
    }
  }

  function forgetShown(known: readonly string[], listed: ReadonlySet<string>): void {
    const surely = performance.now() - SHOWN_MS
    for (const id of known) if (!listed.has(id) || tried.get(id)! < surely) tried.delete(id)
  }

  return {
    start(): void {
      if (atOnce === 0) return
      looks = periodically(services.log, {
        name: 'look for callbacks',
        everyMs: pollMs,
        restMs: limits.restMs,
        work: look,
      })
      looks.now()
    },
    /** Looks for due callbacks now. `again`: the id of one that is to be delivered again. */
    wake(again?: string): void {
      if (again !== undefined) tried.delete(again)
      looks?.now()
    },
    /** Aborts deliveries in progress, which become due again, and resolves. */
    async stop(): Promise<void> {
      await looks?.stop()
      await Promise.all([...underWay.values()].map(({ done }) => done))
    },
  }
}
