import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** What ties an input to its label, its hint and its problem. */
interface Input {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: boolean
}

interface FieldProps {
  readonly label: string
  /** What to know before filling it in. */
  readonly hint?: ComponentChildren
  readonly problem?: string | undefined
  readonly children: (input: Input) => ComponentChildren
}

/** A labelled input with its hint, and what is wrong with it. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId()
  const about = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ')
  return (
    <div class={problem ? 'field is-wrong' : 'field'}>
      <label for={id}>{label}</label>
      {children({
        id,
        ...(about ? { 'aria-describedby': about } : {}),
        ...(problem ? { 'aria-invalid': true } : {}),
      })}
      {hint && <small id={`${id}-hint`}>{hint}</small>}
      {problem && (
        <small id={`${id}-problem`} class="problem" role="alert">
          {problem}
        </small>
      )}
    </div>
  )
}

/** The fields of a form by name, trimmed; absent ones are empty. */
export function valuesOf(form: HTMLFormElement): (name: string) => string {
  const data = new FormData(form)
  return (name) => String(data.get(name) ?? '').trim()
}
