import { Icon } from '../../ui/icons.tsx'
import { Switch } from '../../ui/switch.tsx'
import { Field } from '../parts/field.tsx'
import { Criteria } from './criteria.tsx'
import { ListInput } from './list-input.tsx'
import { type Rule, replaced } from './settings.ts'

interface RuleFieldsProps {
  readonly rule: Rule
  onChange(rule: Rule): void
}

/** Formats an ISO time for a `datetime-local` input, in the browser's time zone. */
function localTime(time: string | null): string {
  if (time === null) return ''
  const there = new Date(time)
  return new Date(there.getTime() - there.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const timeOf = (text: string): string | null => (text === '' ? null : new Date(text).toISOString())

export function RuleFields({ rule, onChange }: RuleFieldsProps) {
  const { when, hides } = rule
  return (
    <div class="rule-fields">
      <div class="columns">
        <Field label="Name">
          {(input) => (
            <input
              {...input}
              value={rule.name}
              maxLength={200}
              onInput={({ currentTarget }) => onChange({ ...rule, name: currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Query" hint="Leave empty and choose “Contains” to match every search.">
          {(input) => (
            <input
              {...input}
              value={when.query}
              onInput={({ currentTarget }) =>
                onChange({ ...rule, when: { ...when, query: currentTarget.value } })
              }
            />
          )}
        </Field>
        <Field label="Match">
          {(input) => (
            <select
              {...input}
              value={when.match}
              onChange={({ currentTarget }) =>
                onChange({
                  ...rule,
                  when: { ...when, match: currentTarget.value as 'exact' | 'contains' },
                })
              }
            >
              <option value="exact">Exact</option>
              <option value="contains">Contains</option>
            </select>
          )}
        </Field>
        <Times rule={rule} onChange={onChange} />
        <Field label="Redirect to" hint="A URL, or a path that starts with /.">
          {(input) => (
            <input
              {...input}
              value={rule.redirect ?? ''}
              onInput={({ currentTarget }) =>
                onChange({ ...rule, redirect: currentTarget.value || null })
              }
            />
          )}
        </Field>
      </div>
      <Pins rule={rule} onChange={onChange} />
      <Criteria
        title="Boost or bury"
        weighted
        criteria={rule.boosts}
        onChange={(boosts) =>
          onChange({ ...rule, boosts: boosts.map((one) => ({ ...one, weight: one.weight ?? 2 })) })
        }
      />
      <Criteria
        title="Show only products with"
        criteria={rule.filters}
        onChange={(filters) => onChange({ ...rule, filters })}
      />
      <Criteria
        title="Hide products with"
        criteria={hides.criteria}
        onChange={(criteria) => onChange({ ...rule, hides: { ...hides, criteria } })}
      />
      <ListInput
        label="Hide products by ID"
        hint="Product IDs, one per line."
        rows={2}
        list={hides.products}
        onChange={(products) => onChange({ ...rule, hides: { ...hides, products } })}
      />
      <Switch on={rule.enabled} onChange={(enabled) => onChange({ ...rule, enabled })}>
        Enabled
      </Switch>
    </div>
  )
}

const Times = ({ rule, onChange }: RuleFieldsProps) => (
  <>
    {(['from', 'until'] as const).map((name) => (
      <Field key={name} label={name === 'from' ? 'Active from' : 'Active until'}>
        {(input) => (
          <input
            {...input}
            type="datetime-local"
            value={localTime(rule[name])}
            onChange={({ currentTarget }) =>
              onChange({ ...rule, [name]: timeOf(currentTarget.value) })
            }
          />
        )}
      </Field>
    ))}
  </>
)

function Pins({ rule, onChange }: RuleFieldsProps) {
  const { pins } = rule
  return (
    <fieldset class="field criteria">
      <legend>Pinned products</legend>
      {pins.map((pin, at) => (
        <div key={at} class="cell">
          <input
            aria-label="Product ID"
            placeholder="Product ID"
            value={pin.product}
            onInput={({ currentTarget }) =>
              onChange({
                ...rule,
                pins: replaced(pins, at, { ...pin, product: currentTarget.value.trim() }),
              })
            }
          />
          <input
            aria-label={`Position of ${pin.product || 'the product'}`}
            type="number"
            class="is-number"
            min="1"
            value={pin.position}
            onInput={({ currentTarget: { valueAsNumber } }) => {
              if (valueAsNumber > 0) {
                const next = { ...pin, position: Math.floor(valueAsNumber) }
                onChange({ ...rule, pins: replaced(pins, at, next) })
              }
            }}
          />
          <button
            type="button"
            class="close"
            aria-label={`Unpin ${pin.product || 'the product'}`}
            onClick={() => onChange({ ...rule, pins: replaced(pins, at, undefined) })}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button
        type="button"
        class="more"
        onClick={() =>
          onChange({ ...rule, pins: [...pins, { product: '', position: pins.length + 1 }] })
        }
      >
        Pin a product
      </button>
    </fieldset>
  )
}
