import { useId } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'
import type { Pair } from './draft.ts'

interface PairsProps {
  readonly title: string
  readonly pairs: readonly Pair[]
  readonly problem: string | undefined
  onChange(pairs: readonly Pair[]): void
}

/** Values by name, each to change, and a further one. */
export function Pairs({ title, pairs, problem, onChange }: PairsProps) {
  const id = useId()
  const set = (index: number, pair: Pair) =>
    onChange(pairs.map((one, at) => (at === index ? pair : one)))
  return (
    <section class="pairs" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {pairs.map(([name, value], at) => (
        <div class="cell" key={at}>
          <input
            aria-label={`Name ${at + 1} of ${title}`}
            value={name}
            maxLength={200}
            onInput={({ currentTarget }) => set(at, [currentTarget.value, value])}
          />
          <input
            aria-label={name || `Value ${at + 1} of ${title}`}
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
        Add to {title.toLowerCase()}
      </button>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}
