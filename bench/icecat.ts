import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { limits } from '../src/limits.ts'

/** A line of an Open Icecat export in the form that the querqy/chorus project publishes. */
interface IcecatProduct {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly ean?: readonly string[]
  readonly short_description?: string
  readonly supplier?: string
  /** In cents. */
  readonly price?: number
  readonly img_500x500?: string
  readonly [attribute: string]: unknown
}

const VENDORS = [
  'Northwind Supply',
  'Alder & Pine',
  'Kestrel Trade',
  'Bluewater IT',
  'Corvus Parts',
]

/**
 * Pseudo-random bytes derived from the id, so that the synthetic offers are the same in every run.
 */
const dice = (id: string): Buffer => createHash('sha256').update(id).digest()

function offers({ id, name, price }: IcecatProduct) {
  const bytes = dice(id)
  const count = 1 + (bytes[0]! % 4)
  return Array.from({ length: count }, (_, i) => {
    const onHand = bytes[i * 3 + 1]! % 3 === 0 ? 0 : bytes[i * 3 + 2]!
    return {
      vendorName: VENDORS[(bytes[1]! + i) % VENDORS.length]!,
      vendorPartNumber: `${String.fromCharCode(65 + i)}${id.padStart(8, '0')}`,
      name: name.slice(0, limits.nameLength),
      cost: price === undefined ? null : Math.round(price * (0.8 + bytes[i * 3 + 3]! / 640)) / 100,
      onHand,
      inStock: onHand > 0,
    }
  })
}

const words = (key: string): string => key.slice('attr_t_'.length).replaceAll('_', ' ').trim()

/**
 * Converts to the API's Product: text and yes/no attributes become facets, numbers become filters.
 */
function toProduct(source: IcecatProduct) {
  const entries = Object.entries(source).filter(([key]) => /^attr_[tbn]_/.test(key))
  const text = entries
    .filter(([key]) => !key.startsWith('attr_n_'))
    .map(([key, value]) => [
      words(key),
      typeof value === 'boolean'
        ? value
          ? 'Yes'
          : 'No'
        : String(value).slice(0, limits.valueLength),
    ])
    .filter(([name, value]) => name !== '' && value !== '')
  const numbers = entries.filter(([key]) => key.startsWith('attr_n_'))
  return {
    id: source.id,
    name: source.title.slice(0, limits.productNameLength),
    description: source.short_description?.slice(0, limits.valueLength) ?? null,
    manufacturer: source.supplier ?? null,
    manufacturerPartNumber: source.name,
    image: source.img_500x500 ?? null,
    subCategory: (source.attr_t_product_type as string | undefined) ?? null,
    unspsc: (source.attr_t_unspsc_code as string | undefined) ?? null,
    msrp: source.price === undefined ? null : source.price / 100,
    upcs: source.ean ?? [],
    vendors: offers(source),
    facets: Object.fromEntries(text),
    filters: Object.fromEntries(numbers.map(([key, value]) => [words(key), value])),
  }
}

/** Splits at line feeds only: readline also splits at U+2028, which occurs inside texts here. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Reads the products of an export (gzipped jsonl). */
export async function* icecatProducts(from: string): AsyncGenerator<ReturnType<typeof toProduct>> {
  const lines = linesOf(createReadStream(from).pipe(createGunzip()).setEncoding('utf8'))
  for await (const line of lines) yield toProduct(JSON.parse(line))
}

/** Converts an export to import lines: `node bench/icecat.ts IN.jsonl.gz OUT.jsonl`. */
export async function convert(from: string, to: string): Promise<void> {
  const converted = async function* () {
    for await (const product of icecatProducts(from)) yield `${JSON.stringify(product)}\n`
  }
  await pipeline(Readable.from(converted()), createWriteStream(to))
}

if (import.meta.main) {
  const [from, to] = process.argv.slice(2)
  if (!from || !to) {
    process.stderr.write('usage: node bench/icecat.ts IN.jsonl.gz OUT.jsonl\n')
    process.exitCode = 2
  } else await convert(from, to)
}
