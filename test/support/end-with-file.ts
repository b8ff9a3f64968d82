const running = new Set<() => Promise<void>>()

/** What ends something that a test file started: by the file itself, or when it is over. */
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

/** Ends what is still running. */
export async function endRunning(): Promise<void> {
  await Promise.all([...running].map((stop) => stop()))
}
