import { useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { splitTexts } from './settings.ts'

interface ListInputProps {
  readonly label: string
  readonly hint?: string
  readonly list: readonly string[]
  /** Lines of the input; 1: between commas. */
  readonly rows?: number
  readonly problem?: string | undefined
  onChange(list: readonly string[]): void
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Texts between commas or on lines, as they are typed. */
export function ListInput({ label, hint, list, rows = 1, problem, onChange }: ListInputProps) {
  const [typed, setTyped] = useState('')
  // What is typed may end with a comma: it stays as long as it means the list.
  const text = isSame(splitTexts(typed), list) ? typed : list.join(rows > 1 ? '\n' : ', ')
  const take = (next: string) => {
    setTyped(next)
    onChange(splitTexts(next))
  }
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(input) =>
        rows > 1 ? (
          <textarea
            {...input}
            rows={rows}
            value={text}
            onInput={({ currentTarget }) => take(currentTarget.value)}
          />
        ) : (
          <input
            {...input}
            value={text}
            onInput={({ currentTarget }) => take(currentTarget.value)}
          />
        )
      }
    </Field>
  )
}
