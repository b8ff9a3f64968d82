import { onTestFinished, TestRunner } from 'vitest'

const running = new Set<() => Promise<void>>()

/**
 * Registers `stop` to run when the test is over, or the file if no test runs. Returns a function
 * that runs it earlier.
 */
export function endsWithTest(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined
  const once = () => {
    running.delete(once)
    stopped ??= stop()
    return stopped
  }
  if (TestRunner.getCurrentTest()) onTestFinished(once)
  else running.add(once)
  return once
}

/** Stops everything that is still running. */
export async function endRunning(): Promise<void> {
  await Promise.all([...running].map((stop) => stop()))
}
