/** Answers that are believed for a while, and those on their way, by key. Times as of Date. */
export interface Answers<T> {
  /** Undefined where somebody has to ask. */
  get(key: string, now: number): Promise<T> | undefined
  /** Who asks for the same until it ends shares it; then it is believed until `until` of it. */
  share(key: string, answer: Promise<T>, times: Times<T>): void
  /** How many are kept. */
  size(): number
}

interface Times<T> {
  readonly now: number
  until(value: T): number
}

interface Entry<T> {
  readonly answer: Promise<T>
  until: number
}

/** At most `entries`; the oldest give way, and those whose time is over go. */
export function createAnswers<T>(entries: number): Answers<T> {
  const kept = new Map<string, Entry<T>>()

  /** From the oldest to the first that is still of use. */
  function forgetOld(now: number): void {
    for (const [key, { until }] of kept) {
      if (until > now) return
      kept.delete(key)
    }
  }

  return {
    get(key, now) {
      const entry = kept.get(key)
      if (!entry) return undefined
      if (entry.until > now) return entry.answer
      kept.delete(key)
      return undefined
    },
    size: () => kept.size,
    share(key, answer, { now, until }) {
      const entry: Entry<T> = { answer, until: Number.POSITIVE_INFINITY }
      forgetOld(now)
      // Set anew, it is the youngest again.
      kept.delete(key)
      if (kept.size >= entries) kept.delete(kept.keys().next().value!)
      kept.set(key, entry)
      answer.then(
        (value) => {
          entry.until = until(value)
        },
        () => {
          entry.until = 0
        },
      )
    },
  }
}
