import { limits } from '../../limits.ts'
import { type Admission, createAdmission, type Leave } from '../admission.ts'
import { type LoadedOrganization, loadOwner } from '../load-owner.ts'
import { restAfter } from '../pacing.ts'

/** Whose request it is that another system answers. */
interface Asker {
  readonly organization: LoadedOrganization
  /** Ends the waiting for a turn. */
  readonly signal: AbortSignal
  /** Where whoever works on a large answer takes places. */
  readonly requests: Admission
  /** Absent in tasks, which wait for places without end. */
  readonly leavePlace?: Leave | undefined
}

/** Reads an answer; `hold` is told before they are kept how many bytes have come. */
type AnswerReader<A> = (hold: (bytes: number) => Promise<void>) => Promise<A>

/** Large answers of one organization that wait to be read; those of more requests fail at once. */
const WAITING = 128

/** Bytes of large answers that an instance holds; beyond, they are left on their connections. */
const held = createAdmission({
  capacity: limits.heldAnswerBytes,
  share: limits.organizationAnswerBytes,
  waiting: Infinity,
  ownerWaiting: WAITING,
  what: 'answers of other systems',
})

/** Large ones are worked on one at a time, in turn by organization: the event loop is the process's. */
const turns = createAdmission({ capacity: 1, waiting: Infinity, what: 'answers of other systems' })

/**
 * Reads what another system answers, of `most` bytes as far as it is known, and works on it. Both wait
 * for their turn where the answer is large. Throws the reason of the signal, TooManyRequests, and what
 * `read` and `work` throw.
 */
export async function withHeldAnswer<A, T>(
  asker: Asker,
  most: number,
  { read, work }: { readonly read: AnswerReader<A>; readonly work: (answer: A) => Promise<T> },
): Promise<T> {
  const { organization, signal } = asker
  let leave: Leave | undefined
  let size = 0
  /** To read much keeps the process busy as well: for as long nothing is read in its place. */
  const place = async (): Promise<Leave> => {
    const left = await held.enter(loadOwner(organization), { cost: most, signal })
    const use = performance.eventLoopUtilization()
    return () => setTimeout(left, restAfter(use)).unref()
  }
  const hold = async (bytes: number) => {
    size = bytes
    if (bytes <= limits.smallBodyBytes) return
    leave ??= await place()
  }
  try {
    const answer = await read(hold)
    const cost = Math.min(limits.bodyPlaces, Math.floor(size / limits.placeBytes))
    return cost > 0 ? await inTurn(asker, cost, () => work(answer)) : await work(answer)
  } finally {
    leave?.()
  }
}

/** While others are active, its organization rests afterwards for as long as it took. */
async function inTurn<T>(asker: Asker, cost: number, work: () => Promise<T>): Promise<T> {
  const { signal, requests } = asker
  const owner = loadOwner(asker.organization)
  const givesWay = asker.leavePlace === undefined
  const leavePlaces = await requests.enter(owner, { cost, signal, givesWay })
  let began = performance.now()
  const timed = () => {
    began = performance.now()
    return work()
  }
  try {
    return await turns.run(owner, timed, { signal })
  } finally {
    leavePlaces(Math.min(limits.restMs, performance.now() - began))
  }
}
