interface Clocks {
  /** Milliseconds that must have passed, and been spent computing. */
  readonly stallMs: number
  /** Milliseconds, monotonic. */
  readonly now?: () => number
  /** CPU milliseconds used by the thread of the event loop. */
  readonly cpuMs?: () => number
}

/** Detects that the process blocked its event loop by computing. */
export function createEventLoopWatchdog({
  stallMs,
  now = () => performance.now(),
  cpuMs = threadCpuMs,
}: Clocks) {
  let since = now()
  let before = cpuMs()
  return {
    /** Called periodically from the event loop. */
    tick(): void {
      since = now()
      before = cpuMs()
    },
    /** Milliseconds since the last tick if the loop was blocked that long; 0 if it was not. */
    blockedMs(): number {
      const ms = now() - since
      // A suspended or starved thread did not turn its loop either, but used no CPU time.
      return ms >= stallMs && cpuMs() - before >= stallMs ? ms : 0
    },
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The message of a task that blocked the event loop for `ms` milliseconds. */
export const stallMessage = (message: string, ms: number): string =>
  `Given up: the task blocked the service for ${Math.round(ms / 1000)} s. Completed work is kept. Last message: ${message}`
