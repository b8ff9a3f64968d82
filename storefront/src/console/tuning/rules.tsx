import { useState } from 'preact/hooks'
import { RuleFields } from './rule-fields.tsx'
import { NEW_RULE, type Rule, replaced } from './settings.ts'
import type { EditorProps } from './tuning-page.tsx'

/**
 * An editor for rules, which pin, boost and hide products of certain searches; earlier rules take
 * precedence.
 */
export function RuleEditor({ value: rules, problemAt, onChange }: EditorProps<readonly Rule[]>) {
  const raise = (index: number) => {
    const [rule, above] = [rules[index]!, rules[index - 1]!]
    onChange(replaced(replaced(rules, index, above), index - 1, rule))
  }
  return (
    <>
      {rules.length === 0 && <p class="none">No rules yet. Results are ordered by relevance.</p>}
      {rules.map((rule, at) => (
        <RuleEntry
          key={at}
          rule={rule}
          problem={problemAt(`rules[${at}]`)}
          onChange={(next) => onChange(replaced(rules, at, next))}
          onRaise={at > 0 ? () => raise(at) : undefined}
        />
      ))}
      <button type="button" class="button" onClick={() => onChange([...rules, NEW_RULE])}>
        Add rule
      </button>
    </>
  )
}

interface RuleEntryProps {
  readonly rule: Rule
  readonly problem: string | undefined
  /** undefined removes the rule. */
  onChange(rule: Rule | undefined): void
  readonly onRaise: (() => void) | undefined
}

/** A rule on one line. Its fields are rendered only while it is open, since there may be a thousand rules. */
function RuleEntry({ rule, problem, onChange, onRaise }: RuleEntryProps) {
  const [isOpen, setOpen] = useState(rule === NEW_RULE)
  const { name, enabled, when } = rule
  return (
    <details
      class="rule"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {name || 'New rule'}{' '}
        <span class="none">
          {enabled ? '' : 'Disabled · '}
          {when.query ? `“${when.query}”` : 'Every search'}
          {when.filters.length > 0 && ` within ${when.filters.map((one) => one.value).join(', ')}`}
        </span>
        {problem && (
          <span class="problem" role="alert">
            {' '}
            {problem}
          </span>
        )}
      </summary>
      {isOpen && (
        <>
          <RuleFields rule={rule} onChange={onChange} />
          <div class="buttons">
            {onRaise && (
              <button type="button" class="button" onClick={onRaise}>
                Move up
              </button>
            )}
            <button
              type="button"
              class="button"
              aria-label={`Remove rule ${name}`}
              onClick={() => onChange(undefined)}
            >
              Remove
            </button>
          </div>
        </>
      )}
    </details>
  )
}
