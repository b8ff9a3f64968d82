import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** Attributes that connect an input with its label, its hint and its problem. */
interface Input {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: boolean
}

interface FieldProps {
  readonly label: string
  /** Help on how to fill in the field. */
  readonly hint?: ComponentChildren
  readonly problem?: string | undefined
  readonly children: (input: Input) => ComponentChildren
}

/** A labelled input with its hint and its problem. */
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

/** Reads the trimmed values of a form's fields by name; missing fields are empty. */
export function valuesOf(form: HTMLFormElement): (name: string) => string {
  const data = new FormData(form)
  return (name) => String(data.get(name) ?? '').trim()
}
