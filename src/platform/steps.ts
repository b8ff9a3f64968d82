/** Long work that yields between its pieces, so that whoever does it may do others' in between. */
export type Steps<T> = Generator<undefined, T>

/** Does all of it at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
