const running = new Set<() => Promise<void>>()

/**
 * Registers `stop` to run when the test file is over, and returns a function that runs it earlier.
 */
export function endsWithFile(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined
  const once = () => {
    running.delete(once)
    stopped ??= stop()
    return stopped
  }
  running.add(once)
  return once
}

/** Stops everything that is still running. */
export async function endRunning(): Promise<void> {
  await Promise.all([...running].map((stop) => stop()))
}
