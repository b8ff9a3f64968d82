import { limits } from '../limits.ts'

/** A clock reading: `epoch` in whole seconds, the others in our milliseconds. */
interface ClockReading {
  readonly asked: number
  readonly answered: number
  readonly epoch: number
}

/**
 * How far our clock is ahead of the other in whole seconds, or 0 if they may agree, since the other
 * was read at some moment between request and answer.
 */
export function secondsAhead({ asked, answered, epoch }: ClockReading): number {
  const [earliest, latest] = [epoch * 1_000, (epoch + 1) * 1_000]
  if (asked > latest) return Math.round((asked - latest) / 1_000)
  return answered < earliest ? Math.round((answered - earliest) / 1_000) : 0
}

/** A warning about our clock, or undefined when it is accurate to some seconds. */
export function clockWarning(ahead: number): string | undefined {
  if (Math.abs(ahead) * 1_000 <= limits.clockApartMs) return undefined
  return `${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of Elasticsearch`
}
