/** The expected result of an import file, computed without the service. */
export interface Expected {
  readonly counts: {
    readonly processed: number
    readonly created: number
    readonly updated: number
    readonly unchanged: number
    readonly rejected: number
  }
  readonly products: ReadonlyMap<string, ExpectedProduct>
}

interface ExpectedProduct {
  readonly name: string
  /** Price by vendor. */
  readonly offers: Readonly<Record<string, number>>
  /** Number of rows that changed the product after it was created. */
  readonly changes: number
}

const HEADER = 'id,name,manufacturer,mpn,vendor,price'

interface Row {
  readonly id: number
  readonly vendor: string
  readonly price: number | string
}

/**
 * Most rows are new products. Some add a second vendor to a recent product, some repeat a row, some
 * change an old price, and one in a hundred is invalid.
 */
function rowAt(i: number): Row {
  if (i % 100 === 50) return { id: i, vendor: 'Nord', price: 'abc' }
  if (i % 10 === 3) return { id: i - 3, vendor: 'Sud', price: (i % 90) + 1 }
  if (i % 10 === 7) return rowAt(i - 7)
  if (i % 25 === 4 && i > 2_000) return { id: i - 2_000, vendor: 'Nord', price: (i % 70) + 100 }
  return { id: i, vendor: 'Nord', price: (i % 90) + 1 }
}

const nameOf = (id: number) => `Name ${id}`
const textOf = ({ id, vendor, price }: Row) =>
  `P${id},${nameOf(id)},Maker ${id % 7},M-${id},${vendor},${price}`

/** Pieces of a csv file with this number of rows. */
export function* fileOf(rows: number): Generator<string> {
  yield `${HEADER}\n`
  for (let from = 0; from < rows; from += 1_000) {
    const until = Math.min(rows, from + 1_000)
    let text = ''
    for (let i = from; i < until; i++) text += `${textOf(rowAt(i))}\n`
    yield text
  }
}

/** Products named by one row only, so that nothing overwrites what people change in them. */
export function* lonely(rows: number): Generator<string> {
  for (let i = 1; i < rows; i += 10) yield `P${i}`
}

export function expectedOf(rows: number): Expected {
  const products = new Map<
    string,
    { name: string; offers: Record<string, number>; changes: number }
  >()
  const counts = { processed: rows, created: 0, updated: 0, unchanged: 0, rejected: 0 }
  for (let i = 0; i < rows; i++) {
    const { id, vendor, price } = rowAt(i)
    if (typeof price === 'string') {
      counts.rejected++
      continue
    }
    const known = products.get(`P${id}`)
    if (!known) {
      products.set(`P${id}`, { name: nameOf(id), offers: { [vendor]: price }, changes: 0 })
      counts.created++
    } else if (known.offers[vendor] === price) {
      counts.unchanged++
    } else {
      known.offers[vendor] = price
      known.changes++
      counts.updated++
    }
  }
  return { counts, products }
}
