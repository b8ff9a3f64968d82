import { getInstallExtensionOptions, installExtension, validateExtension } from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { useConsole } from '../console.ts'
import { Field, valuesOf } from '../parts/field.tsx'
import { type Deed, Told, useDeed } from '../parts/use-deed.tsx'
import { useLoaded } from '../parts/use-loaded.tsx'
import type { Available, FieldDefinition } from './types.ts'

interface InstallFormProps {
  readonly extension: Available
  onInstalled(): Promise<void>
}

interface Found {
  readonly problems: readonly { readonly field: string; readonly message: string }[]
}

const OWN = ['extensionNickname', 'vendor', 'catalog', 'schedule', 'timezone'] as const
const LABELS = {
  extensionNickname: ['What to call it', ''],
  vendor: ['Vendor whose offers it brings', 'Without one it stores no offers.'],
  catalog: ['Into the catalog', ''],
  schedule: ['Runs by itself', 'Minute, hour, day, month, day of week, as 30 2 * * 1-5.'],
  timezone: ['In the time zone', 'As Europe/Berlin; UTC when empty.'],
} as const

/** The form of an extension, made of the fields that it asks for. */
export function InstallForm({ extension, onInstalled }: InstallFormProps) {
  const { connection } = useConsole()
  const deed = useDeed()
  const [problems, setProblems] = useState<Found['problems']>([])
  const { id, additionalData, category, mapToVendor } = extension
  const fields = additionalData.filter(({ adHocOnlyField }) => !adHocOnlyField)
  const own = OWN.filter((name) => {
    if (name === 'extensionNickname') return true
    return category === 'import' || (name === 'vendor' && mapToVendor)
  })
  const bodyOf = (form: HTMLFormElement) => {
    const value = valuesOf(form)
    const data = new FormData(form)
    const said = (name: string) => (value(name) ? [[name, value(name)] as const] : [])
    return {
      ...Object.fromEntries(own.flatMap(said)),
      additionalData: Object.fromEntries(
        fields.flatMap(({ field, protected: hidden }) => {
          const given = String(data.get(`field ${field}`) ?? '')
          const text = hidden ? given : given.trim()
          return text ? [[field, text]] : []
        }),
      ),
    }
  }
  const attempt = (form: HTMLFormElement) =>
    deed.run(async () => {
      const found = await validateExtension(connection, { id, ...bodyOf(form) })
      setProblems(found.problems)
      return found.problems.length === 0 ? 'Nothing speaks against it.' : undefined
    })
  const install = (form: HTMLFormElement) =>
    deed.run(async () => {
      setProblems([])
      await installExtension(connection, { id, ...bodyOf(form) })
      await onInstalled()
      return undefined
    })
  const at = (place: string) =>
    deed.at(place) ?? problems.find(({ field }) => field === place)?.message
  const places = [...own, ...fields.flatMap(({ field }) => [field, `additionalData.${field}`])]
  const others = problems.filter(({ field }) => !places.includes(field))
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void install(event.currentTarget)
      }}
    >
      {own.map((name) => (
        <OwnField key={name} name={name} problem={at(name)} />
      ))}
      {fields.map((field) => (
        <GivenField
          key={field.field}
          field={field}
          extension={id}
          problem={at(`additionalData.${field.field}`) ?? at(field.field)}
        />
      ))}
      <Others deed={deed} places={places} problems={others} />
      <div class="buttons">
        <button type="submit" class="button is-main" disabled={deed.busy}>
          Install it
        </button>
        <button
          type="button"
          class="button"
          disabled={deed.busy}
          onClick={({ currentTarget }) => attempt(currentTarget.form!)}
        >
          Try it first
        </button>
      </div>
    </form>
  )
}

interface OthersProps {
  readonly deed: Deed
  readonly places: readonly string[]
  readonly problems: Found['problems']
}

const Others = ({ deed, places, problems }: OthersProps) => (
  <>
    {problems.map(({ field, message }) => (
      <p key={field + message} class="problem" role="alert">
        {field ? `${field}: ` : ''}
        {message}
      </p>
    ))}
    <Told deed={deed} fields={places} />
  </>
)

interface OwnFieldProps {
  readonly name: (typeof OWN)[number]
  readonly problem: string | undefined
}

function OwnField({ name, problem }: OwnFieldProps) {
  const { catalogs } = useConsole()
  const all = useStore(catalogs)
  const [label, hint] = LABELS[name]
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(input) =>
        name === 'catalog' ? (
          <select {...input} name={name}>
            <option value="">The default one</option>
            {all.map((catalog) => (
              <option key={catalog.name}>{catalog.name}</option>
            ))}
          </select>
        ) : (
          <input {...input} name={name} autoComplete="off" />
        )
      }
    </Field>
  )
}

interface GivenFieldProps {
  readonly field: FieldDefinition
  /** Its id. */
  readonly extension: string
  readonly problem: string | undefined
}

const INPUTS: Readonly<Record<string, 'number' | 'date' | 'url'>> = {
  number: 'number',
  date: 'date',
  url: 'url',
}

interface Options {
  readonly options: readonly { readonly value: string; readonly display: string }[]
}

/** One field, asked for as its definition says. */
function GivenField({ field: definition, extension, problem }: GivenFieldProps) {
  const { connection } = useConsole()
  const { field, description, fieldType, dataType, optional, hasOptions } = definition
  const load = useCallback(
    async (signal: AbortSignal): Promise<Options> =>
      hasOptions
        ? getInstallExtensionOptions(connection, { id: extension, field }, { signal })
        : { options: [] },
    [connection, extension, field, hasOptions],
  )
  const options = useLoaded(load).value?.options ?? []
  const isHidden = definition.protected || fieldType === 'password'
  const isFlag = fieldType === 'checkbox' || dataType === 'boolean'
  const first = definition.defaultValue ?? ''
  return (
    <Field
      label={description ?? field}
      hint={optional ? 'May be left empty.' : ''}
      problem={problem}
    >
      {(input) => {
        const given = { ...input, name: `field ${field}`, required: !optional }
        if (isFlag || options.length > 0) {
          const choices = isFlag
            ? [
                { value: 'true', display: 'Yes' },
                { value: 'false', display: 'No' },
              ]
            : options
          return (
            <select {...given} defaultValue={first}>
              <option value="">Not said</option>
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
