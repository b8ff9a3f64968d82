import type { Match } from '../shop/types.ts'

/** A line of a pasted list, with what it may mean. */
export interface ListLine {
  readonly group: string
  readonly text: string
  readonly quantity: number
  /** The product that it means; empty where somebody has to choose. */
  readonly sure: string
  /** The best first. */
  readonly choices: readonly Match[]
}

/** What a pasted list means. */
export interface PastedList {
  readonly lines: readonly ListLine[]
  /** Lines that nothing fits. */
  readonly unknown: readonly string[]
}

interface Matches {
  readonly matchedProducts: readonly Match[]
  readonly possibleProducts: readonly Match[]
}

/** Reads the answer to a pasted text, whose matches name its lines by their numbers from 1. */
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

/** What is added to a list: each product once, with the quantities of all its lines. */
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
