import { type Random, randomFrom } from '../../demo/random.ts'
import { normalisePartNumber } from '../../src/text.ts'
import {
  dirtyMaker,
  dirtyNumber,
  dirtyWords,
  inventedNumber,
  quantityCell,
  withQuantity,
} from './dirt.ts'

/** The fields of a product that lines are made from. */
export interface ListedProduct {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly manufacturer: string | null
  readonly manufacturerPartNumber: string
  readonly upcs: readonly string[]
  readonly vendors: readonly { readonly vendorPartNumber: string }[]
}

/**
 * What a line is made of: `number`, `vendorNumber` and `gtin` an identifier, `words` a description,
 * `nothing` something that no product matches.
 */
type LineKind = 'number' | 'vendorNumber' | 'gtin' | 'words' | 'nothing'

type Cells = Readonly<Record<Column, string>>

export interface MadeLine {
  readonly kind: LineKind
  readonly cells: Cells
  /** The cells as placed in a table, where two may have been swapped. */
  readonly placed: Cells
  /** Null if the line gives none. */
  readonly quantity: number | null
  /** Id of the product that is meant; null if none is. */
  readonly product: string | null
  /** Ids of the products that have the identifier. */
  readonly fitting: readonly string[]
}

const COLUMNS = ['number', 'maker', 'words', 'quantity'] as const
type Column = (typeof COLUMNS)[number]

/** Products of a catalog, indexed by the identifiers that lines may contain. */
export interface Numbers {
  readonly byNumber: ReadonlyMap<string, readonly ListedProduct[]>
}

export function numbersOf(products: readonly ListedProduct[]): Numbers {
  const byNumber = new Map<string, ListedProduct[]>()
  for (const product of products) {
    const { id, manufacturerPartNumber, upcs, vendors } = product
    const numbers = [
      id,
      manufacturerPartNumber,
      ...upcs,
      ...vendors.map(({ vendorPartNumber }) => vendorPartNumber),
    ]
    for (const form of new Set(numbers.map(formOf))) {
      byNumber.set(form, [...(byNumber.get(form) ?? []), product])
    }
  }
  return { byNumber }
}

const formOf = (number: string): string => normalisePartNumber(number).replace(/^0+(?=.)/, '')

/**
 * Draws a kind: 10 % nothing, 15 % words, 10 % GTIN, 5 % a vendor's number, otherwise a part
 * number.
 */
function kindOf(random: Random): LineKind {
  const dice = random.next()
  if (dice < 0.1) return 'nothing'
  if (dice < 0.25) return 'words'
  if (dice < 0.35) return 'gtin'
  if (dice < 0.4) return 'vendorNumber'
  return 'number'
}

/** Makes one line; the same seed and products give the same line. */
export function lineAt(seed: string, products: readonly ListedProduct[], known: Numbers): MadeLine {
  const random = randomFrom(seed)
  const product = random.pick(products)
  const kind = kindOf(random)
  const quantity = random.chance(0.95) ? random.whole(1, 40) : null
  const maker = product.manufacturer ?? ''
  const number = numberOf(kind, product, random, known)
  const isShown = kind === 'words' ? random.chance(0.5) : random.chance(0.75)
  const words =
    kind === 'words'
      ? described(product, random)
      : random.chance(0.6)
        ? dirtyWords(withoutNumber(product), random)
        : ''
  const cells = {
    number: number === '' ? '' : dirtyNumber(number, random),
    maker: isShown ? dirtyMaker(maker, random) : '',
    words,
    quantity: quantity === null ? '' : quantityCell(quantity, random),
  }
  const fitting = number === '' ? [] : (known.byNumber.get(formOf(number)) ?? [])
  const names = `${cells.maker} ${words}`.toLowerCase()
  const isNamed = isShown || names.includes(maker.toLowerCase())
  const sameMaker = fitting.filter(({ manufacturer }) => manufacturer === product.manufacturer)
  return {
    kind,
    quantity,
    cells,
    placed: random.chance(0.06) ? swapped(cells, random) : cells,
    product: kind === 'nothing' ? null : product.id,
    fitting: (isNamed ? sameMaker : fitting).map(({ id }) => id),
  }
}

function numberOf(kind: LineKind, product: ListedProduct, random: Random, known: Numbers): string {
  if (kind === 'words') return ''
  if (kind === 'gtin' && product.upcs.length > 0) return random.pick(product.upcs)
  if (kind === 'vendorNumber' && product.vendors.length > 0) {
    return random.pick(product.vendors).vendorPartNumber
  }
  if (kind !== 'nothing') return product.manufacturerPartNumber
  const isTaken = (made: string) => known.byNumber.has(formOf(made))
  return inventedNumber(product.manufacturerPartNumber, random, isTaken)
}

/** The name without the part number, unless the part number may be the name itself. */
function withoutNumber({ name, manufacturerPartNumber }: ListedProduct): string {
  if (/\s/.test(manufacturerPartNumber) || !/\d/.test(manufacturerPartNumber)) return name
  return name.replace(manufacturerPartNumber, '').replace(/\s+/g, ' ').trim()
}

const ENOUGH_WORDS = 5

/** A description in words: the name, extended by words of the description if it is short. */
function described(product: ListedProduct, random: Random): string {
  const name = withoutNumber(product)
  if (name.split(' ').length >= ENOUGH_WORDS) return dirtyWords(name, random)
  return dirtyWords(`${name} ${(product.description ?? '').slice(0, 80)}`, random)
}

/** Swaps two cells. */
function swapped(cells: Cells, random: Random): Cells {
  const [one, other] = random.pick<[Column, Column]>([
    ['number', 'maker'],
    ['number', 'words'],
    ['maker', 'words'],
    ['number', 'quantity'],
  ])
  return { ...cells, [one]: cells[other], [other]: cells[one] }
}

const HEADERS: readonly Readonly<Record<Column, string>>[] = [
  { number: 'Part number', maker: 'Manufacturer', words: 'Description', quantity: 'Qty' },
  { number: 'MPN', maker: 'Brand', words: 'Item', quantity: 'Quantity' },
  { number: 'Hersteller-Nr.', maker: 'Hersteller', words: 'Bezeichnung', quantity: 'Menge' },
  { number: 'Artikelnummer', maker: 'Marke', words: 'Beschreibung', quantity: 'Anzahl' },
]
const ORDERS: readonly (readonly Column[])[] = [
  ['number', 'maker', 'words', 'quantity'],
  ['quantity', 'number', 'maker', 'words'],
  ['maker', 'number', 'quantity', 'words'],
  ['words', 'quantity', 'maker', 'number'],
]

export const LAYOUTS = ['csv', 'tsv', 'semicolons', 'bare', 'text'] as const
export type Layout = (typeof LAYOUTS)[number]
const SIGNS = { csv: ',', tsv: '\t', semicolons: ';', bare: ',' } as const

/** A list of lines as a file or pasted text, with one line of text for each. */
export function listOf(lines: readonly MadeLine[], layout: Layout, seed: string): string {
  const random = randomFrom(`${seed} ${layout}`)
  const order = random.pick(ORDERS)
  if (layout === 'text') return lines.map((line) => textLine(line, random)).join('\n')
  const sign = SIGNS[layout]
  const header = random.pick(HEADERS)
  const rows = lines.map(({ placed }) => order.map((column) => placed[column]))
  const all = layout === 'bare' ? rows : [order.map((column) => header[column]), ...rows]
  return all.map((row) => row.map((cell) => quoted(cell, sign)).join(sign)).join('\n')
}

const quoted = (cell: string, sign: string): string =>
  /["\n\r]/.test(cell) || cell.includes(sign) ? `"${cell.replaceAll('"', '""')}"` : cell

/** Maker and number in either order, then words, with the quantity around them. */
function textLine({ cells, quantity }: MadeLine, random: Random): string {
  const { number, maker, words } = cells
  const parts = random.chance(0.5) ? [maker, number, words] : [number, maker, words]
  const line = parts.filter((part) => part.trim() !== '').join(' ')
  return quantity === null ? line : withQuantity(line, quantity, random)
}
