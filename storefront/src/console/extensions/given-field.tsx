import { getInstallExtensionOptions } from 'aisle-client'
import { useCallback } from 'preact/hooks'
import { useConsole } from '../console.ts'
import { Field } from '../parts/field.tsx'
import { useLoaded } from '../parts/use-loaded.tsx'
import { labelOf } from './field-label.ts'
import type { FieldDefinition } from './types.ts'

interface GivenFieldProps {
  readonly field: FieldDefinition
  /** Id of the extension. */
  readonly extension: string
  readonly problem: string | undefined
  /** Whether an installed extension is edited; its protected values are kept but not shown. */
  readonly isChanged: boolean
}

const INPUTS: Readonly<Record<string, 'number' | 'date' | 'url'>> = {
  number: 'number',
  date: 'date',
  url: 'url',
}

interface Options {
  readonly options: readonly { readonly value: string; readonly display: string }[]
}

/** An input for a field, according to its definition. */
export function GivenField({ field: definition, extension, problem, isChanged }: GivenFieldProps) {
  const { connection } = useConsole()
  const { field, fieldType, dataType, optional, hasOptions } = definition
  const load = useCallback(
    async (signal: AbortSignal): Promise<Options> =>
      hasOptions
        ? getInstallExtensionOptions(connection, { id: extension, field }, { signal })
        : { options: [] },
    [connection, extension, field, hasOptions],
  )
  const options = useLoaded(load).value?.options ?? []
  const isHidden = definition.protected || fieldType === 'password'
  const isKept = isChanged && definition.protected
  const isFlag = fieldType === 'checkbox' || dataType === 'boolean'
  const first = definition.defaultValue ?? ''
  const [label, hint] = labelOf(definition)
  return (
    <Field
      label={label}
      hint={isKept ? 'Leave empty to keep the current value.' : hint}
      problem={problem}
    >
      {(input) => {
        const given = { ...input, name: `field ${field}`, required: !optional && !isKept }
        if (isFlag || options.length > 0) {
          const choices = isFlag
            ? [
                { value: 'true', display: 'Yes' },
                { value: 'false', display: 'No' },
              ]
            : options
          return (
            <select {...given} defaultValue={first}>
              <option value="">Not set</option>
              {choices.map(({ value, display }) => (
                <option key={value} value={value} selected={value === first}>
                  {display}
                </option>
              ))}
            </select>
          )
        }
        if (fieldType === 'textarea') return <textarea {...given} rows={3} defaultValue={first} />
        const type = isHidden ? 'password' : (INPUTS[dataType ?? ''] ?? 'text')
        const more = type === 'number' ? { step: 'any' } : {}
        return (
          <input
            {...given}
            {...more}
            type={type as 'text'}
            defaultValue={first}
            autoComplete="off"
          />
        )
      }}
    </Field>
  )
}
