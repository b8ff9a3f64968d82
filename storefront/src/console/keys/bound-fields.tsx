import { useStore } from '../../shop/store.ts'
import { useConsole } from '../console.ts'
import { Field } from '../parts/field.tsx'
import type { Action } from '../parts/use-action.tsx'

/** Restrictions of a search key: pages that use it cannot read what is excluded here. */
export function BoundFields({ action }: { action: Action }) {
  const { catalogs } = useConsole()
  const names = useStore(catalogs)
  return (
    <div class="columns">
      <fieldset class="field">
        <legend>Catalogs</legend>
        {names.map(({ name }) => (
          <label key={name} class="choice">
            <input type="checkbox" name="catalogs" value={name} />
            <span class="choice-text">{name}</span>
          </label>
        ))}
        <small>All catalogs if none is selected.</small>
        {action.at('catalogs') && <small class="problem">{action.at('catalogs')}</small>}
      </fieldset>
      <fieldset class="field">
        <legend>Hidden from this key</legend>
        <label class="choice">
          <input type="checkbox" name="public" defaultChecked />
          <span class="choice-text">Vendor names and part numbers, costs and notes</span>
        </label>
        <label class="choice">
          <input type="checkbox" name="inStock" />
          <span class="choice-text">Products that are out of stock</span>
        </label>
        <small>
          If costs are your selling prices, don’t hide them. Otherwise only list prices are shown.
        </small>
      </fieldset>
      <Field label="Limit to category" problem={action.at('filter')}>
        {(input) => <input {...input} name="category" maxLength={200} />}
      </Field>
      <Field
        label="Price list"
        hint="Shows these prices instead of the standard ones."
        problem={action.at('priceList')}
      >
        {(input) => <input {...input} name="priceList" maxLength={200} autoComplete="off" />}
      </Field>
      <Field label="Limit to manufacturers" hint="One per line.">
        {(input) => <textarea {...input} name="manufacturers" rows={2} />}
      </Field>
      <Field label="Limit to vendors" hint="One per line.">
        {(input) => <textarea {...input} name="vendors" rows={2} />}
      </Field>
      <Field
        label="Allowed origins"
        hint="For example https://shop.example, one per line."
        problem={action.at('origins')}
      >
        {(input) => <textarea {...input} name="origins" rows={2} />}
      </Field>
      <Field label="Requests per second (total)" problem={action.at('rate')}>
        {(input) => <input {...input} name="perSecond" type="number" min="1" max="10000" />}
      </Field>
      <Field label="Requests per second (per IP address)">
        {(input) => <input {...input} name="perAddress" type="number" min="1" max="10000" />}
      </Field>
      <Field
        label="Cache lifetime (seconds)"
        hint="Leave empty to disable caching."
        problem={action.at('cache')}
      >
        {(input) => <input {...input} name="maxAge" type="number" min="0" max="604800" />}
      </Field>
    </div>
  )
}
