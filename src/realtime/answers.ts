/** Answers that are believed for a while, and those on their way, by key. Times as of Date. */
export interface Answers<T> {
  /** Undefined where somebody has to ask. */
  get(key: string, now: number): Promise<T> | undefined
  /** Who asks for the same until it ends shares it; then it is believed until `until` of it. */
  share(key: string, answer: Promise<T>, until: (value: T) => number): void
}

interface Entry<T> {
  readonly answer: Promise<T>
  until: number
}

/** At most `entries`; the oldest give way. */
export function createAnswers<T>(entries: number): Answers<T> {
  const kept = new Map<string, Entry<T>>()

  return {
    get(key, now) {
      const entry = kept.get(key)
      if (!entry) return undefined
      if (entry.until > now) return entry.answer
      kept.delete(key)
      return undefined
    },
    share(key, answer, until) {
      const entry: Entry<T> = { answer, until: Number.POSITIVE_INFINITY }
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
