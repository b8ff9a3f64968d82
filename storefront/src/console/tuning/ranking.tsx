import { Icon } from '../../ui/icons.tsx'
import { Switch } from '../../ui/switch.tsx'
import { Field } from '../parts/field.tsx'
import { ListInput } from './list-input.tsx'
import { type NumberSignal, type Ranking, replaced } from './settings.ts'
import type { EditorProps } from './tuning-page.tsx'

const FIELDS = {
  name: 'Words of the name',
  text: 'Words of attributes, facets and categories',
  description: 'Words of the description',
  partNumbers: 'Numbers of the product',
  type: 'What the product is',
  manufacturer: 'The manufacturer that is named',
} as const

const SIGNALS = {
  inStock: 'What is in stock',
  notDiscontinued: 'What is not discontinued',
  newest: 'What was changed of late',
  popularity: 'What was chosen lately',
} as const

/** What makes a product come first. */
export function RankingEditor({ value, problemAt, onChange }: EditorProps<Ranking>) {
  const { fields, signals, stopPhrases } = value
  const setSignals = (change: Partial<Ranking['signals']>) =>
    onChange({ ...value, signals: { ...signals, ...change } })
  return (
    <>
      <h3>What a word counts where it is found</h3>
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
      <h3>What comes first among equals</h3>
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
          Order searches without words by these signals
          <small>By name otherwise.</small>
        </span>
      </Switch>
      <ListInput
        label="Phrases that are left out"
        hint="One on each line, as “do you have”."
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
  ['weight', 'weight', 0],
  ['best', 'best at', 0.000001],
] as const

/** Numbers of products that lift them, as pieces sold. */
function Numbers({ numbers, problem, onChange }: NumbersProps) {
  return (
    <fieldset class="field criteria">
      <legend>Numbers of products that lift them</legend>
      {numbers.map((number, at) => (
        <div key={at} class="cell">
          <input
            aria-label="Name of the number"
            placeholder="Name of the number"
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
            aria-label={`Remove the number ${number.name}`}
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
        Add a number
      </button>
      {problem && <small class="problem">{problem}</small>}
    </fieldset>
  )
}
