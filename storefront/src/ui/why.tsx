import type { Explanation } from '../shop/types.ts'

/** What the service calls its signals, for people. */
const SIGNALS: Readonly<Record<string, string>> = {
  type: 'is one',
  brand: 'made by',
  inStock: 'in stock',
  notDiscontinued: 'still sold',
  brevity: 'short text',
  favorite: 'favorite',
  popularity: 'chosen lately',
  found: 'words found',
}

/** Why a hit is where it is: what its score is made of, and where its words were found. */
export function Why({
  explanation: { score, parts, words, aboveNext },
}: {
  explanation: Explanation
}) {
  return (
    <div class="why">
      <dl>
        {parts.map(({ kind, name, of, score: points }) => (
          <div key={`${kind} ${name} ${of}`}>
            <dt>
              {kind === 'word' ? `“${name}”` : (SIGNALS[name] ?? name)}
              {of ? ` ${of}` : ''}
            </dt>
            <dd>{points.toFixed(2)}</dd>
          </div>
        ))}
        {score !== null && (
          <div class="why-score">
            <dt>Score</dt>
            <dd>{score.toFixed(2)}</dd>
          </div>
        )}
      </dl>
      {words.map(({ word, matches: [best] }) => (
        <p key={word}>
          “{word}”{' '}
          {best
            ? `in ${best.name ?? best.field}, ${best.how}${best.text === word ? '' : ` “${best.text}”`}`
            : 'is not in it'}
        </p>
      ))}
      {aboveNext && <p>Above the next by {aboveNext.by}</p>}
    </div>
  )
}
