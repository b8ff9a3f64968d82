import { useId } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'
import type { Pair } from './draft.ts'

interface PairsProps {
  readonly title: string
  /** The singular of the title, for labels. */
  readonly singular: string
  readonly pairs: readonly Pair[]
  readonly problem: string | undefined
  onChange(pairs: readonly Pair[]): void
}

/** Editable name-value pairs, with a button that adds one. */
export function Pairs({ title, singular, pairs, problem, onChange }: PairsProps) {
  const id = useId()
  const set = (index: number, pair: Pair) =>
    onChange(pairs.map((one, at) => (at === index ? pair : one)))
  return (
    <section class="pairs" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {pairs.map(([name, value], at) => (
        <div class="cell" key={at}>
          <input
            aria-label={`${title}: name ${at + 1}`}
            value={name}
            maxLength={200}
            onInput={({ currentTarget }) => set(at, [currentTarget.value, value])}
          />
          <input
            aria-label={name || `${title}: value ${at + 1}`}
            value={value}
            onInput={({ currentTarget }) => set(at, [name, currentTarget.value])}
          />
          <button
            type="button"
            class="close"
            aria-label={`Remove ${name || 'this'} from ${title}`}
            onClick={() => onChange(pairs.filter((_, other) => other !== at))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button type="button" class="more" onClick={() => onChange([...pairs, ['', '']])}>
        Add {singular}
      </button>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}
