import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Attack } from './attack.ts'
import type { ProbeReport, ProbeSettings } from './probe.ts'
import { type RunningTarget, startTarget } from './target.ts'

const WARM_UP_MS = 5_000
/** Milliseconds within which the service answers after an attack. */
const AFTERWARDS_MS = 5_000
const QUIET_MS = 10_000
/** Maximum milliseconds for preparing an attack, and for running it. */
const PREPARE_MS = 240_000
const STRIKE_MS = 60_000
/** Maximum ratio of another tenant's p95 during an attack to that in quiet. */
const WORST_RATIO = 3
const NEIGHBOUR_PRODUCTS = 2_000
const ATTACKS = '.attack.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Runs the attacks whose file names contain one of `names`, or all. Returns whether all were
 * withstood.
 */
export async function runAttacks(
  names: readonly string[],
  say: (line: string) => void,
): Promise<boolean> {
  let withstood = true
  const files = (await readdir(import.meta.dirname)).sort()
  for (const file of files.filter((file) => file.endsWith(ATTACKS))) {
    if (names.length > 0 && !names.some((name) => file.includes(name))) continue
    withstood = (await run(file, say)) && withstood
  }
  return withstood
}

async function run(file: string, say: (line: string) => void): Promise<boolean> {
  const target = await startTarget()
  const children: ChildProcess[] = []
  const child = (script: string, ...words: string[]) => {
    const started = fork(join(import.meta.dirname, script), words)
    children.push(started)
    return started
  }
  try {
    const neighbour = await target.tenant({ products: NEIGHBOUR_PRODUCTS })
    const attacker = child('attacker.ts', file, target.address)
    await answerOf(attacker, PREPARE_MS)
    const { headers } = neighbour
    const settings: ProbeSettings = { address: target.address, pid: target.pid, headers }
    const probe = child('probe.ts', JSON.stringify(settings))
    await pause(WARM_UP_MS)
    await ask<ProbeReport>(probe, 'report')
    await pause(QUIET_MS)
    const quiet = await ask<ProbeReport>(probe, 'report')
    const outcome = await ask<string>(attacker, 'strike', STRIKE_MS)
    const during = await ask<ProbeReport>(probe, 'report')
    const { attack } = (await import(join(import.meta.dirname, file))) as { attack: Attack }
    return tell(attack, { quiet, during, outcome, alive: await answers(target) }, say)
  } finally {
    for (const started of children) if (started.connected) started.disconnect()
    await target.stop()
  }
}

/**
 * The next message of a child; throws an Error if it exits or sends none within `ms` milliseconds.
 */
async function answerOf<T>(child: ChildProcess, ms: number): Promise<T> {
  const gone = once(child, 'exit').then(() => Promise.reject(new Error('a child ended')))
  const said = once(child, 'message', { signal: AbortSignal.timeout(ms) })
  const [message] = await Promise.race([said, gone])
  return message as T
}

function ask<T>(child: ChildProcess, word: string, ms = 10_000): Promise<T> {
  const answer = answerOf<T>(child, ms)
  child.send(word)
  return answer
}

/** Asks again for a while: connections of the attack, from the same address, may still be closing. */
async function answers({ address }: RunningTarget): Promise<boolean> {
  const until = performance.now() + AFTERWARDS_MS
  do {
    const answer = await fetch(`${address}/api/status/connections`).catch(() => undefined)
    if (answer?.status === 200) return true
    await pause(100)
  } while (performance.now() < until)
  return false
}

interface Outcome {
  readonly quiet: ProbeReport
  readonly during: ProbeReport
  readonly outcome: string
  /** Whether the service and its Elasticsearch answer after the attack. */
  readonly alive: boolean
}

function tell(
  { name, what }: Attack,
  { quiet, during, outcome, alive }: Outcome,
  say: (line: string) => void,
): boolean {
  const ratio = during.p95 / quiet.p95
  const withstood = alive && during.refused === 0 && ratio <= WORST_RATIO
  const ms = (value: number) => `${Math.round(value)} ms`
  say(`${withstood ? 'withstood' : 'FAILED   '} ${name}: ${what}`)
  say(`  attacker: ${outcome}`)
  say(`  memory: ${Math.round(quiet.peak)} MiB quiet, ${Math.round(during.peak)} MiB at most`)
  say(`  stall: ${ms(quiet.stall)} quiet, ${ms(during.stall)} at most`)
  say(
    `  another tenant: p50 ${ms(quiet.p50)} quiet, ${ms(during.p50)} during; ` +
      `p95 ${ms(quiet.p95)} quiet, ${ms(during.p95)} during (x${ratio.toFixed(1)}); ` +
      `${during.refused} of ${during.searches} refused`,
  )
  if (!alive) say('  the service does not answer afterwards')
  return withstood
}
