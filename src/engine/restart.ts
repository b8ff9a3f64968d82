import { setTimeout as pause } from 'node:timers/promises'
import { StartupFailure } from '../errors.ts'
import type { RunningEngine } from './process.ts'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** After this uptime, pauses start from the first again. */
const WELL_MS = 5 * 60_000
/** Consecutive failed starts before it gives up: about a minute of pauses. */
const ATTEMPTS = 6

/** A restart uses the same data and the same address. */
export interface RestartTarget {
  readonly port: number
  /** Aborts when the engine is to run no longer. */
  readonly signal: AbortSignal
}

export interface RestartOptions {
  readonly say: (line: string) => void
  readonly firstPauseMs?: number
}

/**
 * Restarts an engine when it ends, after a pause that doubles. `exited` resolves with a sentence once
 * it cannot be restarted.
 */
export async function keepRunning(
  start: (again?: RestartTarget) => Promise<RunningEngine>,
  { say, firstPauseMs = FIRST_PAUSE_MS }: RestartOptions,
): Promise<RunningEngine> {
  let engine = await start()
  const { node } = engine
  const stopping = new AbortController()
  const { signal } = stopping
  const port = Number(new URL(node).port)
  let pauseMs = firstPauseMs

  /** Resolves with the reason of the failure, or undefined after `stop`. */
  async function watch(): Promise<string | undefined> {
    for (;;) {
      const began = performance.now()
      const ended = await Promise.race([engine.exited, aborted(signal)])
      if (ended === undefined) return
      if (performance.now() - began > WELL_MS) pauseMs = firstPauseMs
      say(ended)
      const failure = await startAgain()
      if (failure !== undefined || signal.aborted) return failure
    }
  }

  async function startAgain(): Promise<string | undefined> {
    for (let attempt = 1; ; attempt++) {
      say(`restarting Elasticsearch in ${pauseMs / 1000} s`)
      await pause(pauseMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      try {
        engine = await start({ port, signal })
        return
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof StartupFailure)) return `Elasticsearch cannot be started: ${error}.`
        if (attempt === ATTEMPTS) return error.message
        say(error.message)
      }
    }
  }

  const over = watch()
  return {
    node,
    exited: over.then((failure) => failure ?? new Promise<string>(() => undefined)),
    async stop() {
      stopping.abort()
      await over
      await engine.stop()
    },
  }
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((done) => signal.addEventListener('abort', () => done(undefined), { once: true }))
