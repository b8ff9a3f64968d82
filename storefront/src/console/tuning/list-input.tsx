import { useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { splitTexts } from './settings.ts'

interface ListInputProps {
  readonly label: string
  readonly hint?: string
  readonly list: readonly string[]
  /** Lines of the input. With 1, entries are separated by commas. */
  readonly rows?: number
  readonly problem?: string | undefined
  onChange(list: readonly string[]): void
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** An input for a list, separated by commas or line breaks. */
export function ListInput({ label, hint, list, rows = 1, problem, onChange }: ListInputProps) {
  const [typed, setTyped] = useState('')
  // Keep the text as typed, such as a trailing comma, while it denotes the same list.
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
