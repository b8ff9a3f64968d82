/** Long work that yields between its steps, so that its caller may do something else in between. */
export type Steps<T> = Generator<undefined, T>

/** Maps items, each in a step. */
export function* mapSteps<T, R>(all: readonly T[], work: (one: T, at: number) => R): Steps<R[]> {
  const done: R[] = []
  for (const [at, one] of all.entries()) {
    done.push(work(one, at))
    yield
  }
  return done
}

/** Runs all steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
