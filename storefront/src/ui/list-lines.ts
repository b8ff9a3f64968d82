import type { Match } from '../shop/types.ts'

/** A line of a pasted list with its matches. */
export interface ListLine {
  readonly group: string
  readonly text: string
  readonly quantity: number
  /** Id of the matched product; empty if the user has to choose. */
  readonly sure: string
  /** Best match first. */
  readonly choices: readonly Match[]
}

/** A pasted list with the matches of its lines. */
export interface PastedList {
  readonly lines: readonly ListLine[]
  /** Lines without a match. */
  readonly unknown: readonly string[]
}

interface Matches {
  readonly matchedProducts: readonly Match[]
  readonly possibleProducts: readonly Match[]
}

/** Assigns matches to the lines of a pasted text; matches refer to lines by number, from 1. */
export function pastedList(text: string, matches: Matches): PastedList {
  const lines = linesOf(matches)
  const known = new Set(lines.map(({ group }) => group))
  const unknown = text
    .split(/\r?\n/)
    .filter((line, at) => line.trim() !== '' && !known.has(String(at + 1)))
  return { lines, unknown }
}

function linesOf({ matchedProducts, possibleProducts }: Matches): ListLine[] {
  const groups = Map.groupBy(
    [...matchedProducts, ...possibleProducts],
    (match) => match.matchGroup ?? '',
  )
  return [...groups]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([group, choices]) => {
      const first = choices[0]!
      const sure = matchedProducts.find(({ matchGroup }) => (matchGroup ?? '') === group)
      return {
        group,
        text: first.matchedTo ?? '',
        quantity: Number(first.qty ?? 1) || 0,
        sure: sure?.productId ?? '',
        choices,
      }
    })
}

/** The items to add: each product once, with the sum of its lines' quantities. */
export function picked(lines: readonly ListLine[], picks: Readonly<Record<string, string>>) {
  const items = new Map<string, { catalog: string; productId: string; quantity: number }>()
  for (const { group, quantity, sure, choices } of lines) {
    const productId = picks[group] ?? sure
    const chosen = choices.find((choice) => choice.productId === productId)
    if (!chosen || quantity <= 0) continue
    const before = items.get(productId)?.quantity ?? 0
    items.set(productId, { catalog: chosen.source ?? '', productId, quantity: before + quantity })
  }
  return [...items.values()]
}
