import type { Layout } from './layout.ts'

/** Price fields; the first with a column of values decides the currency. */
const PRICES = ['vendor.cost', 'vendor.salePrice', 'msrp']

/**
 * Chooses one column for each price, by the first rows, all in one currency. The others must not
 * fill in for it where it is empty: their prices are in another currency, or of another kind.
 */
export function withPriceColumns(layout: Layout, sample: readonly (readonly string[])[]): Layout {
  const { system, names, fields, spare } = layout
  const currencyOf = (name: string) => system.currencyOf?.(name)
  const hasValues = (name: string) => {
    const at = names.indexOf(name)
    return sample.some((cells) => (cells[at] ?? '').trim() !== '')
  }
  const columns = PRICES.flatMap((price) => {
    const all = fields.flatMap(([name, field]) => (field === price ? [name] : []))
    const [filled, empty] = [all.filter(hasValues), all.filter((name) => !hasValues(name))]
    return [...filled, ...empty].map((name) => ({ price, name, isFilled: filled.includes(name) }))
  })
  const [first] = [...columns.filter(({ isFilled }) => isFilled), ...columns]
  const currency = first && currencyOf(first.name)
  const chosen = new Map<string, string>()
  for (const { price, name } of columns) {
    const own = currencyOf(name)
    const isForeign = currency !== undefined && own !== undefined && own !== currency
    if (!isForeign && !chosen.has(price)) chosen.set(price, name)
  }
  const taken = new Set(chosen.values())
  const otherPrices = new Set(columns.map(({ name }) => name).filter((name) => !taken.has(name)))
  return {
    ...layout,
    otherPrices,
    uses: layout.uses.map((use) => {
      const name = names[use.column]!
      if (!otherPrices.has(name)) return use
      const attribute = spare.length > 0 ? use.heading : null
      return { ...use, field: attribute === null ? null : 'attribute', attribute }
    }),
  }
}
