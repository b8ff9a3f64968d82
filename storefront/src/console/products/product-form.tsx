import { AisleError, updateProduct } from 'aisle-client'
import { useState } from 'preact/hooks'
import { useConsole } from '../console.ts'
import { Field } from '../parts/field.tsx'
import { type Action, ActionStatus, useAction } from '../parts/use-action.tsx'
import {
  type Draft,
  draftOf,
  type EditedProduct,
  NAMED,
  patchOf,
  TEXTS,
  type TextField,
} from './draft.ts'
import { labelOf } from './labels.ts'
import { Offers } from './offers.tsx'
import { Pairs } from './pairs.tsx'

interface ProductFormProps {
  readonly catalog: string
  readonly product: EditedProduct
  reload(): Promise<void>
}

/** Singular forms of the labels. */
const SINGULAR = {
  facets: 'facet',
  attributes: 'attribute',
  filters: 'numeric attribute',
  options: 'variant option',
} as const

/** Saves the changed fields unless somebody else has changed the product meanwhile. */
export function ProductForm({ catalog, product, reload }: ProductFormProps) {
  const { connection } = useConsole()
  const [draft, setDraft] = useState<Draft>(() => draftOf(product))
  const [isOld, setOld] = useState(false)
  const action = useAction()
  const save = () =>
    action.run(async () => {
      const body = patchOf(draft, product)
      if (Object.keys(body).length === 0) return 'No changes to save.'
      try {
        const { id, version } = product
        await updateProduct(connection, { catalog, ...body, id }, { ifMatch: version })
      } catch (error) {
        setOld(error instanceof AisleError && error.status === 412)
        throw error
      }
      await reload()
      return undefined
    })
  return (
    <form
      class="product-form"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div class="columns">
        {TEXTS.map((field) => (
          <TextInput
            key={field}
            field={field}
            value={draft.texts[field]}
            action={action}
            onChange={(text) => setDraft({ ...draft, texts: { ...draft.texts, [field]: text } })}
          />
        ))}
        <Field label={labelOf('msrp')} problem={action.at('msrp')}>
          {(input) => (
            <input
              {...input}
              type="number"
              step="any"
              min="0"
              value={draft.msrp}
              onInput={({ currentTarget }) => setDraft({ ...draft, msrp: currentTarget.value })}
            />
          )}
        </Field>
        <Field label={labelOf('upcs')} hint="One per line." problem={action.at('upcs')}>
          {(input) => (
            <textarea
              {...input}
              rows={2}
              value={draft.upcs}
              onInput={({ currentTarget }) => setDraft({ ...draft, upcs: currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <Offers
        offers={draft.offers}
        problem={action.at('vendors')}
        onChange={(offers) => setDraft({ ...draft, offers })}
      />
      <div class="columns is-wide">
        {NAMED.map((field) => (
          <Pairs
            key={field}
            title={labelOf(field)}
            singular={SINGULAR[field]}
            pairs={draft.named[field]}
            problem={action.at(field)}
            onChange={(pairs) => setDraft({ ...draft, named: { ...draft.named, [field]: pairs } })}
          />
        ))}
      </div>
      <div class="buttons save">
        <button type="submit" class="button is-main" disabled={action.busy}>
          Save product
        </button>
        {isOld && (
          <button type="button" class="button" onClick={reload}>
            Reload and discard changes
          </button>
        )}
        <ActionStatus action={action} fields={[...TEXTS, 'msrp', 'upcs', 'vendors', ...NAMED]} />
      </div>
      <p class="amount">
        Version {product.version}, updated {new Date(product.lastUpdated).toLocaleString()}
        {product.updatedBy ? ` by ${product.updatedBy}` : ''}
      </p>
    </form>
  )
}

interface TextInputProps {
  readonly field: TextField
  readonly value: string
  readonly action: Action
  onChange(text: string): void
}

const TextInput = ({ field, value, action, onChange }: TextInputProps) => (
  <Field label={labelOf(field)} problem={action.at(field)}>
    {(input) =>
      field === 'description' ? (
        <textarea
          {...input}
          rows={2}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <input
          {...input}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )
    }
  </Field>
)
