import { useStore } from '../../shop/store.ts'
import { useConsole } from '../console.ts'
import { Field } from '../parts/field.tsx'
import type { Deed } from '../parts/use-deed.tsx'

/** What a search key is bound to: what is not there for the key, its page does not show. */
export function BoundFields({ deed }: { deed: Deed }) {
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
        <small>All when none is chosen.</small>
        {deed.at('catalogs') && <small class="problem">{deed.at('catalogs')}</small>}
      </fieldset>
      <fieldset class="field">
        <legend>What it does not see</legend>
        <label class="choice">
          <input type="checkbox" name="public" defaultChecked />
          <span class="choice-text">Names and part numbers of vendors, costs and notes</span>
        </label>
        <label class="choice">
          <input type="checkbox" name="inStock" />
          <span class="choice-text">What nobody has in stock</span>
        </label>
        <small>
          Where costs are the prices that you sell for, let it see them: else a product has its list
          price alone, if it has one.
        </small>
      </fieldset>
      <Field label="Only the category" problem={deed.at('filter')}>
        {(input) => <input {...input} name="category" maxLength={200} />}
      </Field>
      <Field
        label="Price list"
        hint="Whose prices it shows in place of the general ones."
        problem={deed.at('priceList')}
      >
        {(input) => <input {...input} name="priceList" maxLength={200} autoComplete="off" />}
      </Field>
      <Field label="Only manufacturers" hint="One on each line.">
        {(input) => <textarea {...input} name="manufacturers" rows={2} />}
      </Field>
      <Field label="Only vendors" hint="One on each line.">
        {(input) => <textarea {...input} name="vendors" rows={2} />}
      </Field>
      <Field
        label="Only pages of"
        hint="Origins as https://shop.example, one on each line."
        problem={deed.at('origins')}
      >
        {(input) => <textarea {...input} name="origins" rows={2} />}
      </Field>
      <Field label="Requests a second, of all" problem={deed.at('rate')}>
        {(input) => <input {...input} name="perSecond" type="number" min="1" max="10000" />}
      </Field>
      <Field label="Requests a second, of an address">
        {(input) => <input {...input} name="perAddress" type="number" min="1" max="10000" />}
      </Field>
      <Field
        label="Seconds that caches may keep answers"
        hint="Not at all when empty."
        problem={deed.at('cache')}
      >
        {(input) => <input {...input} name="maxAge" type="number" min="0" max="604800" />}
      </Field>
    </div>
  )
}
