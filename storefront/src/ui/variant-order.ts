export interface Variant {
  readonly id: string
  readonly name?: string | null
  readonly options?: Readonly<Record<string, string>>
  readonly price?: number | null
  readonly inStock?: boolean
}

const { compare } = new Intl.Collator('en', { numeric: true })

/** Clothing sizes, which do not sort alphabetically. */
const SIZE = /^(\d*)(x*)(s|m|l)$/i

/** A clothing size as a number, with M as 0; undefined for other texts. */
function sizeOf(text: string): number | undefined {
  const [, times = '', marks = '', letter = ''] = SIZE.exec(text.trim()) ?? []
  if (letter === '') return undefined
  const far = times === '' ? marks.length : Number(times)
  const middle = { s: -1, m: 0, l: 1 }[letter.toLowerCase()]!
  return middle * (1 + far)
}

function compareValues(one: string, other: string): number {
  const [a, b] = [sizeOf(one), sizeOf(other)]
  return a !== undefined && b !== undefined ? a - b : compare(one, other)
}

/** Names of all options in which the variants differ. */
export const optionNames = (variants: readonly Variant[]): string[] => [
  ...new Set(variants.flatMap(({ options = {} }) => Object.keys(options))),
]

/** Sorts by the first option, then the next ones; numbers and sizes in their natural order. */
export function sortedVariants(variants: readonly Variant[]): Variant[] {
  const names = optionNames(variants)
  return variants.toSorted((one, other) => {
    for (const name of names) {
      const order = compareValues(one.options?.[name] ?? '', other.options?.[name] ?? '')
      if (order !== 0) return order
    }
    return compare(one.id, other.id)
  })
}
