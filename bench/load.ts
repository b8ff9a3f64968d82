import type { Target, Wire } from './http.ts'

/** The requests of one user action, sent one after the other. */
export type Action = readonly Wire[]

export interface Load {
  readonly target: Target
  readonly actions: readonly Action[]
  readonly seconds: number
}

export interface Measured {
  readonly seconds: number
  /** Milliseconds of each action. */
  readonly latencies: readonly number[]
  readonly errors: number
}

/**
 * Runs actions in turn, `connections` at a time, each as soon as the one before it ends. Stops once
 * `seconds` have passed and `least` actions have begun.
 */
export async function closedLoop(
  load: Load & { connections: number; least?: number },
): Promise<Measured> {
  const { target, actions, seconds, connections, least = 0 } = load
  const latencies: number[] = []
  let errors = 0
  let next = 0
  const started = performance.now()
  const end = started + seconds * 1_000
  const worker = async () => {
    while (performance.now() < end || next < least) {
      const action = actions[next++ % actions.length]!
      const begun = performance.now()
      if (!(await succeeds(target, action))) errors += 1
      latencies.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return { seconds: (performance.now() - started) / 1_000, latencies, errors }
}

/**
 * Starts actions at a fixed rate, without waiting for answers, until `seconds` have passed or
 * `stop` aborts. A latency is counted from the time at which the action was due.
 */
export async function openLoop(
  load: Load & { perSecond: number; stop?: AbortSignal },
): Promise<Measured> {
  const { target, actions, seconds, perSecond, stop } = load
  const latencies: number[] = []
  let errors = 0
  const running: Promise<void>[] = []
  const started = performance.now()
  const act = async (action: Action, due: number) => {
    if (!(await succeeds(target, action))) errors += 1
    latencies.push(performance.now() - due)
  }
  for (let i = 0; i < seconds * perSecond && !stop?.aborted; i++) {
    const due = started + (i * 1_000) / perSecond
    await until(due)
    running.push(act(actions[i % actions.length]!, due))
  }
  await Promise.all(running)
  return { seconds: (performance.now() - started) / 1_000, latencies, errors }
}

async function succeeds(target: Target, action: Action): Promise<boolean> {
  for (const wire of action) {
    const ok = await target.send(wire).then(
      ({ status }) => status === 200,
      () => false,
    )
    if (!ok) return false
  }
  return true
}

const until = (due: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
