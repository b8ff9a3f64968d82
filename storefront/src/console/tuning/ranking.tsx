import { Icon } from '../../ui/icons.tsx'
import { Switch } from '../../ui/switch.tsx'
import { Field } from '../parts/field.tsx'
import { ListInput } from './list-input.tsx'
import { type NumberSignal, type Ranking, replaced } from './settings.ts'
import type { EditorProps } from './tuning-page.tsx'

const FIELDS = {
  name: 'Name',
  text: 'Attributes, facets and categories',
  description: 'Description',
  partNumbers: 'Part numbers',
  type: 'Product type',
  manufacturer: 'Manufacturer',
} as const

const SIGNALS = {
  inStock: 'In stock',
  notDiscontinued: 'Not discontinued',
  newest: 'Recently updated',
  popularity: 'Popularity',
} as const

/** An editor for the signals that results are ranked by. */
export function RankingEditor({ value, problemAt, onChange }: EditorProps<Ranking>) {
  const { fields, signals, stopPhrases } = value
  const setSignals = (change: Partial<Ranking['signals']>) =>
    onChange({ ...value, signals: { ...signals, ...change } })
  return (
    <>
      <h3>Field weights</h3>
      <div class="columns">
        {(Object.keys(FIELDS) as (keyof typeof FIELDS)[]).map((name) => (
          <Weight
            key={name}
            label={FIELDS[name]}
            value={fields[name]}
            onChange={(weight) => onChange({ ...value, fields: { ...fields, [name]: weight } })}
          />
        ))}
      </div>
      <h3>Ranking signals</h3>
      <p class="none">Order products that match a query equally well.</p>
      <div class="columns">
        {(Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]).map((name) => (
          <Weight
            key={name}
            label={SIGNALS[name]}
            value={signals[name]}
            onChange={(weight) => setSignals({ [name]: weight })}
          />
        ))}
      </div>
      <Numbers
        numbers={signals.numbers}
        problem={problemAt('ranking.signals.numbers')}
        onChange={(numbers) => setSignals({ numbers })}
      />
      <Switch
        on={signals.withoutKeywords}
        onChange={(withoutKeywords) => setSignals({ withoutKeywords })}
      >
        <span>
          Use these signals for searches without keywords
          <small>Otherwise products are sorted by name.</small>
        </span>
      </Switch>
      <ListInput
        label="Stop phrases"
        hint="Ignored in queries. One per line, for example “do you have”."
        rows={3}
        list={stopPhrases}
        problem={problemAt('ranking.stopPhrases')}
        onChange={(phrases) => onChange({ ...value, stopPhrases: phrases })}
      />
    </>
  )
}

interface WeightProps {
  readonly label: string
  readonly value: number
  onChange(weight: number): void
}

const Weight = ({ label, value, onChange }: WeightProps) => (
  <Field label={label}>
    {(input) => (
      <span class="weight">
        <input
          {...input}
          type="range"
          min="0"
          max="5"
          step="0.25"
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
        />
        <output for={input.id}>{value}</output>
      </span>
    )}
  </Field>
)

interface NumbersProps {
  readonly numbers: readonly NumberSignal[]
  readonly problem: string | undefined
  onChange(numbers: readonly NumberSignal[]): void
}

const NUMBERS = [
  ['weight', 'Weight', 0],
  ['best', 'Full boost at', 0.000001],
] as const

/** Numeric fields that raise a product's rank, such as units sold. */
function Numbers({ numbers, problem, onChange }: NumbersProps) {
  return (
    <fieldset class="field criteria">
      <legend>Boost by numeric attribute</legend>
      {numbers.map((number, at) => (
        <div key={at} class="cell">
          <input
            aria-label="Attribute name"
            placeholder="Attribute name"
            value={number.name}
            onInput={({ currentTarget }) =>
              onChange(replaced(numbers, at, { ...number, name: currentTarget.value }))
            }
          />
          {NUMBERS.map(([field, label, least]) => (
            <label key={field} class="is-number">
              {label}
              <input
                type="number"
                min={least}
                step="any"
                value={number[field]}
                onInput={({ currentTarget: { valueAsNumber } }) => {
                  if (Number.isFinite(valueAsNumber)) {
                    onChange(replaced(numbers, at, { ...number, [field]: valueAsNumber }))
                  }
                }}
              />
            </label>
          ))}
          <button
            type="button"
            class="close"
            aria-label={`Remove attribute ${number.name}`}
            onClick={() => onChange(replaced(numbers, at, undefined))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button
        type="button"
        class="more"
        onClick={() => onChange([...numbers, { name: '', weight: 1, best: 100 }])}
      >
        Add attribute
      </button>
      {problem && <small class="problem">{problem}</small>}
    </fieldset>
  )
}
