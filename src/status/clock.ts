import { limits } from '../limits.ts'

/** What a clock says: `epoch` in whole seconds, the rest in milliseconds of our own. */
interface Reading {
  readonly asked: number
  readonly answered: number
  readonly epoch: number
}

/**
 * How far our clock is ahead of the other, in whole seconds: 0 while it may be right, since the
 * other was read at some moment between the question and its answer.
 */
export function secondsAhead({ asked, answered, epoch }: Reading): number {
  const [earliest, latest] = [epoch * 1_000, (epoch + 1) * 1_000]
  if (asked > latest) return Math.round((asked - latest) / 1_000)
  return answered < earliest ? Math.round((answered - earliest) / 1_000) : 0
}

/** What is wrong with our clock, or undefined when it is right to some seconds. */
export function clockWarning(ahead: number): string | undefined {
  if (Math.abs(ahead) * 1_000 <= limits.clockApartMs) return undefined
  return `${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of Elasticsearch`
}
