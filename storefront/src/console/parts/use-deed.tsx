import { useState } from 'preact/hooks'
import { isAt, type Problem, problemOf, textAt } from '../problem.ts'

/** Something that a screen does on request, with how it went. */
export interface Deed {
  readonly busy: boolean
  readonly problem: Problem | undefined
  /** What was done; empty before it and after a failure. */
  readonly said: string
  /** Does it; says what the work answers, or why it failed. */
  run(work: () => Promise<string | undefined>): Promise<void>
  /** Why it failed, where that concerns this field. */
  at(field: string): string | undefined
}

export function useAction(): Deed {
  const [state, setState] = useState<Pick<Deed, 'busy' | 'problem' | 'said'>>({
    busy: false,
    problem: undefined,
    said: '',
  })
  return {
    ...state,
    async run(work) {
      setState({ busy: true, problem: undefined, said: '' })
      try {
        const said = (await work()) ?? ''
        setState({ busy: false, problem: undefined, said })
      } catch (error) {
        setState({ busy: false, problem: problemOf(error), said: '' })
      }
    },
    at: (field) => (state.problem ? textAt(state.problem, field) : undefined),
  }
}

/** How it went, but for what is said at its field. */
export function ActionStatus({ deed, fields = [] }: { deed: Deed; fields?: readonly string[] }) {
  const { problem, said } = deed
  if (problem && !fields.some((field) => isAt(problem, field))) {
    return (
      <p class="problem" role="alert">
        {problem.place ? `${problem.place}: ` : ''}
        {problem.text}
      </p>
    )
  }
  return said ? (
    <p class="done" role="status">
      {said}
    </p>
  ) : null
}
