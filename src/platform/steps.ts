/** Long work that yields between its steps, so that its caller may do something else in between. */
export type Steps<T> = Generator<undefined, T>

/** Runs all steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
