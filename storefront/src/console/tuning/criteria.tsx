import { Icon } from '../../ui/icons.tsx'
import { type Criterion, replaced } from './settings.ts'

/** Labels of the criteria that rules can have. */
const TYPES: Readonly<Record<Criterion['type'], string>> = {
  manufacturer: 'Manufacturer',
  vendor: 'Vendor',
  segment: 'Segment',
  category: 'Category',
  subCategory: 'Subcategory',
  facet: 'Facet',
  attribute: 'Attribute',
  unspsc: 'UNSPSC code',
  partNumber: 'Part number',
}
const isNamed = (type: string): boolean => type === 'facet' || type === 'attribute'

interface CriteriaProps {
  readonly title: string
  readonly criteria: readonly Criterion[]
  /** Whether each criterion has a weight, as boosts do. */
  readonly weighted?: boolean
  onChange(criteria: readonly Criterion[]): void
}

/** A list of criteria, each with a weight if they are boosts. */
export function Criteria({ title, criteria, weighted = false, onChange }: CriteriaProps) {
  const set = (index: number, criterion: Criterion | undefined) =>
    onChange(replaced(criteria, index, criterion))
  return (
    <fieldset class="field criteria">
      <legend>{title}</legend>
      {criteria.map((criterion, at) => (
        <div key={at} class="cell">
          <select
            aria-label={`${title}: type`}
            value={criterion.type}
            onChange={({ currentTarget: { value } }) =>
              set(at, {
                ...criterion,
                type: value as Criterion['type'],
                name: isNamed(value) ? '' : null,
              })
            }
          >
            {Object.entries(TYPES).map(([type, label]) => (
              <option key={type} value={type}>
                {label}
              </option>
            ))}
          </select>
          {criterion.name !== null && (
            <input
              aria-label={`${title}: name`}
              placeholder="Name"
              value={criterion.name}
              onInput={({ currentTarget }) => set(at, { ...criterion, name: currentTarget.value })}
            />
          )}
          <input
            aria-label={`${title}: value`}
            placeholder="Exact value"
            value={criterion.value}
            onInput={({ currentTarget }) => set(at, { ...criterion, value: currentTarget.value })}
          />
          {weighted && (
            <input
              aria-label={`${title}: weight`}
              type="number"
              class="is-number"
              min="-100"
              max="100"
              step="any"
              value={criterion.weight}
              onInput={({ currentTarget: { valueAsNumber } }) => {
                if (Number.isFinite(valueAsNumber)) set(at, { ...criterion, weight: valueAsNumber })
              }}
            />
          )}
          <button
            type="button"
            class="close"
            aria-label={`Remove condition: ${title}`}
            onClick={() => set(at, undefined)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button
        type="button"
        class="more"
        aria-label={`Add condition: ${title}`}
        onClick={() =>
          onChange([
            ...criteria,
            { type: 'category', name: null, value: '', ...(weighted ? { weight: 2 } : {}) },
          ])
        }
      >
        Add condition
      </button>
    </fieldset>
  )
}
