/** The progress of an upload or an import at one moment. */
export interface ProgressState {
  /** Completed part, 0 to 1. */
  readonly part: number
  readonly count: number
  /** The unit of `count`: `rows`, `MiB`. */
  readonly unit: string
  readonly elapsedMs: number
}

const WIDTH = 24
/** Elapsed time below which a rate is meaningless. */
const EARLY_MS = 1_000

/** `[######------] 52 %  10,400 rows  2,080 rows/s  5 s left`. */
export function progressLine({ part, count, unit, elapsedMs }: ProgressState): string {
  const filled = Math.round(Math.min(Math.max(part, 0), 1) * WIDTH)
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]`
  const done = `${Math.floor(part * 100)} %`.padStart(5)
  const parts = [bar, done, `${amount(count)} ${unit}`]
  if (elapsedMs >= EARLY_MS) {
    parts.push(`${amount((count / elapsedMs) * 1_000)} ${unit}/s`)
    if (part > 0 && part < 1) parts.push(`${duration((elapsedMs / part) * (1 - part))} left`)
  }
  return parts.join('  ')
}

const amount = (value: number): string => Math.round(value).toLocaleString('en-US')

/** Formats a duration: `5 s`, `2 min 05 s`, `1 h 03 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000))
  const two = (value: number) => String(value).padStart(2, '0')
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`
}

/** Milliseconds between progress lines if a line cannot be overwritten. */
const PLAIN_MS = 5_000

/**
 * Shows progress on one line that is rewritten on a terminal, or elsewhere as a line now and then.
 */
export function createMeter(output: NodeJS.WriteStream, label: string) {
  let last = Number.NEGATIVE_INFINITY
  let open = false
  let pending = ''
  return {
    show(moment: ProgressState): void {
      const line = `${label} ${progressLine(moment)}`
      if (output.isTTY) {
        output.write(`\r\u001b[K${line.slice(0, (output.columns ?? 80) - 1)}`)
        open = true
      } else if (moment.elapsedMs - last >= PLAIN_MS) {
        last = moment.elapsedMs
        pending = ''
        output.write(`${line}\n`)
      } else pending = line
    },
    /**
     * Ends the line on a terminal; elsewhere prints the last progress if it was not printed yet.
     */
    end(): void {
      if (open || pending) output.write(`${pending}\n`)
      open = false
      pending = ''
    },
  }
}
