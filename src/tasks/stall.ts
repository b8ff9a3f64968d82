/** Tells whether this process's event loop stood still because something computed all the while. */
export interface StallWatch {
  /** Said now and then from the event loop: it turns. */
  tick(): void
  /** Milliseconds for which it stood still, as of the last tick; 0 when it did not. */
  stoodFor(): number
}

interface Clocks {
  /** Milliseconds that must have gone by, and have been computed. */
  readonly stallMs: number
  /** Milliseconds, monotonic. */
  readonly now?: () => number
  /** Milliseconds that the process has computed. */
  readonly computed?: () => number
}

export function createStallWatch({
  stallMs,
  now = () => performance.now(),
  computed = computedHere,
}: Clocks): StallWatch {
  let since = now()
  let before = computed()
  return {
    tick() {
      since = now()
      before = computed()
    },
    stoodFor() {
      const ms = now() - since
      // A process that was frozen, or had no processor, stood still without having computed.
      return ms >= stallMs && computed() - before >= stallMs ? ms : 0
    },
  }
}

function computedHere(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
