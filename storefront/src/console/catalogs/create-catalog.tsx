import { createCatalog } from 'aisle-client'
import { useConsole } from '../console.ts'
import { Field, valuesOf } from '../parts/field.tsx'
import { ActionStatus, useAction } from '../parts/use-action.tsx'

/** Languages that a catalog's texts can be analyzed in. */
const LANGUAGES = {
  en: 'English',
  de: 'German',
  es: 'Spanish',
  fr: 'French',
  it: 'Italian',
  nl: 'Dutch',
}

/** The name of a language; its code if the name is unknown. */
export const languageName = (code: string): string =>
  Object.hasOwn(LANGUAGES, code) ? LANGUAGES[code as keyof typeof LANGUAGES] : code

export function CreateCatalog({ onCreated }: { onCreated(name: string): void }) {
  const { connection, loadCatalogs } = useConsole()
  const action = useAction()
  const create = (form: HTMLFormElement) =>
    action.run(async () => {
      const value = valuesOf(form)
      const name = value('name')
      const language = value('language') as keyof typeof LANGUAGES
      await createCatalog(connection, {
        name,
        description: value('description') || null,
        language,
      })
      await loadCatalogs()
      form.reset()
      onCreated(name)
      return `Catalog ${name} created.`
    })
  return (
    <form
      class="row-form"
      aria-label="New catalog"
      onSubmit={(event) => {
        event.preventDefault()
        void create(event.currentTarget)
      }}
    >
      <Field label="Name" problem={action.at('name')}>
        {(input) => <input {...input} name="name" required maxLength={100} autoComplete="off" />}
      </Field>
      <Field label="Language" problem={action.at('language')}>
        {(input) => (
          <select {...input} name="language">
            {Object.entries(LANGUAGES).map(([code, language]) => (
              <option key={code} value={code}>
                {language}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Description" problem={action.at('description')}>
        {(input) => <input {...input} name="description" maxLength={2000} autoComplete="off" />}
      </Field>
      <button type="submit" class="button is-main" disabled={action.busy}>
        Create catalog
      </button>
      <ActionStatus action={action} fields={['name', 'language', 'description']} />
    </form>
  )
}
