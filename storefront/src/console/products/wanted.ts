import type { Answer, Input } from 'aisle-client'
import type { Route } from '../route.ts'

/** What products are looked for by; empty: by nothing of this kind. */
export interface Wanted {
  readonly words: string
  /** A path, as `Tools > Drills`. */
  readonly category: string
  readonly manufacturer: string
  readonly vendor: string
}

export const wantedOf = ({ q, category, manufacturer, vendor }: Route): Wanted => ({
  ...{ words: q ?? '', category: category ?? '' },
  ...{ manufacturer: manufacturer ?? '', vendor: vendor ?? '' },
})

/** What an address says of it. */
export function addressed({ words, ...narrowing }: Wanted): Partial<Route> {
  const said = Object.entries({ q: words, ...narrowing }).filter(([, text]) => text !== '')
  return Object.fromEntries(said)
}

export const isEverything = (wanted: Wanted): boolean =>
  Object.values(wanted).every((text) => text === '')

/** As Search, Update Products and Delete Products take it. */
export const searchOf = ({ words, category, manufacturer, vendor }: Wanted) =>
  ({
    keywords: words,
    ...(category ? { must: [{ type: 'categoryPath', value: category }] } : {}),
    ...(manufacturer ? { manufacturer: [manufacturer] } : {}),
    ...(vendor ? { vendors: [vendor] } : {}),
  }) satisfies Input<'updateProducts'>['search']

/** All that is meant, in words. */
export function saidOf(wanted: Wanted, catalog: string): string {
  const { words, category, manufacturer, vendor } = wanted
  const where = [
    category ? `in ${category}` : '',
    manufacturer ? `by ${manufacturer}` : '',
    vendor ? `offered by ${vendor}` : '',
  ].filter(Boolean)
  const what = words ? `All results for “${words}”` : 'All products'
  return isEverything(wanted) ? `${what} in ${catalog}` : [what, ...where].join(' ')
}

type Metadata = NonNullable<Answer<'search'>['metadata']>
type Branch = NonNullable<Metadata['categoryTree']>[number]

/** What can be chosen. */
export interface Choice {
  readonly value: string
  readonly label: string
  readonly count: number
}

/** What each narrowing can become, the commonest first; a category stands below the one that it is in. */
export const choicesOf = ({ categoryTree = [], lists }: Metadata) => ({
  category: branchChoices(categoryTree, 0),
  manufacturer: choices(lists?.manufacturers ?? []),
  vendor: choices(lists?.vendors ?? []),
})

const choices = (values: readonly { readonly value: string; readonly count: number }[]): Choice[] =>
  values.map(({ value, count }) => ({ value, label: value, count }))

const branchChoices = (branches: readonly Branch[], depth: number): Choice[] =>
  branches.flatMap(({ path, name, count, children }) => [
    // Spaces at the beginning are not shown, but for these.
    { value: path, label: `${'\u2003'.repeat(depth)}${name}`, count },
    ...branchChoices(children, depth + 1),
  ])
