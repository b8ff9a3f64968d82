import { AisleError, type Answer, savePriceList } from 'aisle-client'
import { useConsole } from '../console.ts'
import { Field, valuesOf } from '../parts/field.tsx'
import { ActionStatus, useAction } from '../parts/use-action.tsx'

type PriceList = Answer<'getPriceLists'>['priceLists'][number]

interface ListFormProps {
  readonly catalog: string
  /** The price list to edit; if absent, a new one is created. */
  readonly list?: PriceList
  /** Names that are already in use. */
  readonly taken?: readonly string[]
  onSaved(name: string): Promise<void> | void
}

/** A form for a price list's name, currency and other properties. */
export function ListForm({ catalog, list, taken = [], onSaved }: ListFormProps) {
  const { connection } = useConsole()
  const action = useAction()
  const save = (form: HTMLFormElement) =>
    action.run(async () => {
      const value = valuesOf(form)
      const name = list?.name ?? value('name')
      if (taken.includes(name)) {
        throw new AisleError(409, 'priceList: this name is already taken')
      }
      const ids = value('organizations')
        .split(/[\s,]+/)
        .filter((id) => id !== '')
      await savePriceList(connection, {
        ...{ catalog, priceList: name },
        currency: value('currency').toUpperCase(),
        description: value('description') || null,
        organizations: ids.length > 0 ? ids : null,
      })
      if (!list) form.reset()
      await onSaved(name)
      return list ? 'Saved.' : undefined
    })
  return (
    <form
      class="row-form"
      aria-label={list ? 'Price list' : 'New price list'}
      onSubmit={(event) => {
        event.preventDefault()
        void save(event.currentTarget)
      }}
    >
      {!list && (
        <Field label="Name" problem={action.at('priceList')}>
          {(input) => <input {...input} name="name" required maxLength={200} autoComplete="off" />}
        </Field>
      )}
      <Field
        label="Currency"
        hint="Three-letter code, for example EUR."
        problem={action.at('currency')}
      >
        {(input) => (
          <input
            {...input}
            name="currency"
            required
            maxLength={3}
            autoComplete="off"
            defaultValue={list?.currency ?? ''}
          />
        )}
      </Field>
      <Field label="Description" problem={action.at('description')}>
        {(input) => (
          <input
            {...input}
            name="description"
            maxLength={2000}
            autoComplete="off"
            defaultValue={list?.description ?? ''}
          />
        )}
      </Field>
      <Field
        label="Limit to sub-organizations"
        hint="IDs, separated by commas. Leave empty for everyone who can read the catalog."
        problem={action.at('organizations')}
      >
        {(input) => (
          <input
            {...input}
            name="organizations"
            autoComplete="off"
            defaultValue={list?.organizations?.join(', ') ?? ''}
          />
        )}
      </Field>
      <button type="submit" class="button is-main" disabled={action.busy}>
        {list ? 'Save price list' : 'Create price list'}
      </button>
      <ActionStatus
        action={action}
        fields={['priceList', 'currency', 'description', 'organizations']}
      />
    </form>
  )
}
