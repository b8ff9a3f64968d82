import type { Explanation } from '../shop/types.ts'

/** Labels of ranking signals. */
const SIGNALS: Readonly<Record<string, string>> = {
  type: 'Product type',
  brand: 'Brand',
  value: 'Attribute',
  inStock: 'In stock',
  notDiscontinued: 'Not discontinued',
  newest: 'Recently updated',
  number: 'Product data',
  brevity: 'Concise text',
  favorite: 'Favorite',
  popularity: 'Popularity',
  found: 'Words found',
}

/** Labels of the criteria that decide the order of two hits. */
const DECIDERS: Readonly<Record<string, string>> = {
  updated: 'last update',
  id: 'item number',
  pin: 'a pinning rule',
}

const nameOf = (kind: string, name: string): string =>
  kind === 'boost' ? `Boost ${Number(name) + 1}` : kind === 'rule' ? name : (SIGNALS[name] ?? name)

/** Explains a hit's rank: the parts of its score, and where its words matched. */
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
              {kind === 'word' ? `“${name}”` : nameOf(kind, name)}
              {of ? `: ${of}` : ''}
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
            : 'not found'}
        </p>
      ))}
      {aboveNext && <p>Ranks above the next result by {DECIDERS[aboveNext.by] ?? aboveNext.by}</p>}
    </div>
  )
}
