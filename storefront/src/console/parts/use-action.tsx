import { useState } from 'preact/hooks'
import { isAt, type Problem, problemOf, textAt } from '../problem.ts'

/** An action of a screen and its outcome. */
export interface Action {
  readonly busy: boolean
  readonly problem: Problem | undefined
  /** The success message; empty before and after a failure. */
  readonly said: string
  /** Runs the work; its result is the success message. */
  run(work: () => Promise<string | undefined>): Promise<void>
  /** The problem of this field, if the failure concerns it. */
  at(field: string): string | undefined
}

export function useAction(): Action {
  const [state, setState] = useState<Pick<Action, 'busy' | 'problem' | 'said'>>({
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

/** The outcome of an action, except for problems shown at their fields. */
export function ActionStatus({
  action,
  fields = [],
}: {
  action: Action
  fields?: readonly string[]
}) {
  const { problem, said } = action
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
