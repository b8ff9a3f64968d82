import { installExtension, updateInstalledExtension, validateExtension } from 'aisle-client'
import { useState } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { useConsole } from '../console.ts'
import { Field, valuesOf } from '../parts/field.tsx'
import { type Action, ActionStatus, useAction } from '../parts/use-action.tsx'
import { GivenField } from './given-field.tsx'
import type { Available, FieldDefinition, Installed } from './types.ts'

/** What the form is for: an extension to install, or an installed one to change. */
export interface Asked {
  /** Id of the extension. */
  readonly extension: string
  readonly fields: readonly FieldDefinition[]
  readonly isImport: boolean
  readonly hasVendor: boolean
  /** The installed extension to change; if absent, a new one is installed. */
  readonly installed?: Installed
}

export const toInstall = ({ id, additionalData, category, mapToVendor }: Available): Asked => ({
  extension: id,
  fields: additionalData.filter(({ adHocOnlyField }) => !adHocOnlyField),
  isImport: category === 'import',
  hasVendor: mapToVendor,
})

export const toChange = (installed: Installed): Asked => ({
  extension: installed.extension,
  fields: [...installed.sharedData, ...installed.additionalData].filter(
    ({ adHocOnlyField }) => !adHocOnlyField,
  ),
  isImport: installed.extensionType === 'import',
  hasVendor: installed.vendor !== null,
  installed,
})

interface InstallFormProps {
  readonly asked: Asked
  onDone(): Promise<void>
}

interface Found {
  readonly problems: readonly { readonly field: string; readonly message: string }[]
}

const OWN = ['extensionNickname', 'vendor', 'catalog', 'schedule', 'timezone'] as const
const LABELS = {
  extensionNickname: ['Display name', 'Optional.'],
  vendor: ['Vendor', 'Whose offers it imports. Without a vendor, no offers are stored.'],
  catalog: ['Catalog', ''],
  schedule: [
    'Schedule',
    'Cron expression: minute, hour, day, month, weekday. Example: 30 2 * * 1-5.',
  ],
  timezone: ['Time zone', 'For example Europe/Berlin. Default: UTC.'],
} as const

/** The form of an extension, with the fields that it defines. */
export function InstallForm({ asked, onDone }: InstallFormProps) {
  const { connection } = useConsole()
  const action = useAction()
  const [problems, setProblems] = useState<Found['problems']>([])
  const { extension: id, fields, isImport, hasVendor, installed } = asked
  const own = OWN.filter(
    (name) => name === 'extensionNickname' || isImport || (name === 'vendor' && hasVendor),
  )
  const bodyOf = (form: HTMLFormElement) => {
    const value = valuesOf(form)
    const data = new FormData(form)
    // When changing an installed extension, an empty text clears a value, but keeps a protected
    // one.
    const said = (name: string, text: string, stays: boolean) =>
      text || (installed && !stays) ? [[name, text] as const] : []
    return {
      ...Object.fromEntries(own.flatMap((name) => said(name, value(name), false))),
      additionalData: Object.fromEntries(
        fields.flatMap(({ field, protected: hidden }) => {
          const given = String(data.get(`field ${field}`) ?? '')
          return said(field, hidden ? given : given.trim(), hidden)
        }),
      ),
    }
  }
  const attempt = (form: HTMLFormElement) =>
    action.run(async () => {
      const found = await validateExtension(connection, { id, ...bodyOf(form) })
      setProblems(found.problems)
      return found.problems.length === 0 ? 'No problems found.' : undefined
    })
  const save = (form: HTMLFormElement) =>
    action.run(async () => {
      setProblems([])
      if (installed) {
        await updateInstalledExtension(connection, { ...bodyOf(form), id: installed.id })
      } else await installExtension(connection, { id, ...bodyOf(form) })
      await onDone()
      return undefined
    })
  const at = (place: string) =>
    action.at(place) ?? problems.find(({ field }) => field === place)?.message
  const places = [...own, ...fields.flatMap(({ field }) => [field, `additionalData.${field}`])]
  const others = problems.filter(({ field }) => !places.includes(field))
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void save(event.currentTarget)
      }}
    >
      {own.map((name) => (
        <OwnField key={name} name={name} first={firstOf(installed, name)} problem={at(name)} />
      ))}
      {fields.map((field) => (
        <GivenField
          key={field.field}
          field={field}
          extension={id}
          isChanged={installed !== undefined}
          problem={at(`additionalData.${field.field}`) ?? at(field.field)}
        />
      ))}
      <Others action={action} places={places} problems={others} />
      <div class="buttons">
        <button type="submit" class="button is-main" disabled={action.busy}>
          {installed ? 'Save' : 'Install'}
        </button>
        {!installed && (
          <button
            type="button"
            class="button"
            disabled={action.busy}
            onClick={({ currentTarget }) => attempt(currentTarget.form!)}
          >
            Validate
          </button>
        )}
      </div>
    </form>
  )
}

interface OthersProps {
  readonly action: Action
  readonly places: readonly string[]
  readonly problems: Found['problems']
}

const Others = ({ action, places, problems }: OthersProps) => (
  <>
    {problems.map(({ field, message }) => (
      <p key={field + message} class="problem" role="alert">
        {field ? `${field}: ` : ''}
        {message}
      </p>
    ))}
    <ActionStatus action={action} fields={places} />
  </>
)

function firstOf(installed: Installed | undefined, name: (typeof OWN)[number]): string {
  if (!installed) return ''
  return (name === 'extensionNickname' ? installed.nickname : installed[name]) ?? ''
}

interface OwnFieldProps {
  readonly name: (typeof OWN)[number]
  /** The initial value. */
  readonly first: string
  readonly problem: string | undefined
}

function OwnField({ name, first, problem }: OwnFieldProps) {
  const { catalogs } = useConsole()
  const all = useStore(catalogs)
  const [label, hint] = LABELS[name]
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(input) =>
        name === 'catalog' ? (
          <select {...input} name={name}>
            <option value="">Default catalog</option>
            {all.map((catalog) => (
              <option key={catalog.name} selected={catalog.name === first}>
                {catalog.name}
              </option>
            ))}
          </select>
        ) : (
          <input {...input} name={name} autoComplete="off" defaultValue={first} />
        )
      }
    </Field>
  )
}
