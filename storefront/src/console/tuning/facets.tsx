import { Field } from '../parts/field.tsx'
import { ListInput } from './list-input.tsx'
import type { FacetSettings } from './settings.ts'
import type { EditorProps } from './tuning-page.tsx'

/** An editor for which facets are shown, and in which order. */
export const FacetEditor = ({ value, problemAt, onChange }: EditorProps<FacetSettings>) => (
  <div class="columns">
    <ListInput
      label="Shown first"
      hint="Facet names in this order, one per line."
      rows={6}
      list={value.order}
      problem={problemAt('facets.order')}
      onChange={(order) => onChange({ ...value, order })}
    />
    <ListInput
      label="Hidden"
      hint="Facet names, one per line."
      rows={6}
      list={value.hidden}
      problem={problemAt('facets.hidden')}
      onChange={(hidden) => onChange({ ...value, hidden })}
    />
    <Field
      label="Maximum number"
      hint="Leave empty to show all facets."
      problem={problemAt('facets.shown')}
    >
      {(input) => (
        <input
          {...input}
          type="number"
          min="0"
          max="50"
          value={value.shown ?? ''}
          onInput={({ currentTarget: { valueAsNumber } }) =>
            onChange({ ...value, shown: Number.isFinite(valueAsNumber) ? valueAsNumber : null })
          }
        />
      )}
    </Field>
  </div>
)
