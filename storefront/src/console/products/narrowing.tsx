import type { Answer } from 'aisle-client'
import { count } from '../../ui/offers.ts'
import { type Choice, choicesOf, type ProductQuery } from './product-query.ts'

const LABELS = {
  category: ['Category', 'Any category'],
  manufacturer: ['Manufacturer', 'Any manufacturer'],
  vendor: ['Vendor', 'Any vendor'],
} as const

interface NarrowingProps {
  readonly query: ProductQuery
  /** The metadata of the results; undefined while loading. */
  readonly metadata: Answer<'search'>['metadata']
  onChange(query: ProductQuery): void
}

/** Filters by category, manufacturer and vendor, with the number of products for each choice. */
export function Narrowing({ query, metadata, onChange }: NarrowingProps) {
  const choices = metadata && choicesOf(metadata)
  const names = Object.keys(LABELS) as (keyof typeof LABELS)[]
  return (
    <div class="row-form narrowing">
      {names.map((name) => {
        const [label, any] = LABELS[name]
        return (
          <label key={name} class="picker">
            {label}
            <select
              value={query[name]}
              onChange={({ currentTarget }) => onChange({ ...query, [name]: currentTarget.value })}
            >
              <option value="">{any}</option>
              {withChosen(choices?.[name] ?? [], query[name]).map(
                ({ value, label, count: number }) => (
                  <option key={value} value={value} selected={value === query[name]}>
                    {label} ({count(number)})
                  </option>
                ),
              )}
            </select>
          </label>
        )
      })}
      {names.some((name) => query[name] !== '') && (
        <button
          type="button"
          class="button"
          onClick={() => onChange({ ...query, category: '', manufacturer: '', vendor: '' })}
        >
          Clear filters
        </button>
      )}
    </div>
  )
}

/** Keeps the selected value in the list, even if no product has it any more. */
const withChosen = (choices: readonly Choice[], chosen: string): readonly Choice[] =>
  chosen === '' || choices.some(({ value }) => value === chosen)
    ? choices
    : [{ value: chosen, label: chosen, count: 0 }, ...choices]
