import { randomFrom } from '../../demo/random.ts'
import { ceilingOf, FORMS } from './known-forms.ts'
import { mean, reciprocalRank } from './metrics.ts'
import type { CatalogProduct } from './products.ts'
import { type Found, forEach, type Side } from './searchers.ts'
import type { Shelf } from './stage.ts'

interface KnownFigures {
  /**
   * Share of the searches whose first hit has the text that was typed: the product, or one that
   * shares it.
   */
  readonly first: number
  /** Share of the searches whose first hit is the product itself. */
  readonly itself: number
  /** Mean reciprocal rank of the first hit that has the text that was typed. */
  readonly mrr: number
}

interface KnownForm {
  readonly form: string
  readonly searches: number
  /** The best possible `itself`: of products that share a text only one can be first. */
  readonly ceiling: number
  readonly sides: Readonly<Record<Side, KnownFigures>>
  /** The searches whose first hit does not have the text that was typed. */
  readonly missed: readonly Missed[]
}

interface Missed {
  readonly text: string
  readonly id: string
  readonly first: string | undefined
}

export interface KnownRow {
  readonly catalog: string
  readonly forms: readonly KnownForm[]
}

/** A sample from all over the catalog, the same in every run. */
export function sampleOf<T>(all: readonly T[], size: number): T[] {
  const step = Math.max(1, all.length / size)
  return Array.from({ length: Math.min(size, all.length) }, (_, at) => all[Math.floor(at * step)]!)
}

/** Searches for a sample of products in every form, on both sides. */
export async function measureKnown(shelf: Shelf, size: number): Promise<KnownRow> {
  const all = [...shelf.products.values()]
  const sample = sampleOf(all, size)
  const forms: KnownForm[] = []
  for (const [name, form] of Object.entries(FORMS)) {
    const sought = sample
      .map((product) => ({
        product,
        text: form.text(product, randomFrom(`${name} ${product.id}`)),
      }))
      .filter(({ text }) => text !== '')
    const asked = await forEach(sought, async ({ product, text }) => ({
      product,
      text,
      aisle: await shelf.search.aisle(text),
      plain: await shelf.search.plain(text),
    }))
    const { key = ({ id }: CatalogProduct) => id } = form
    const isTyped = (product: CatalogProduct) => (id: string | undefined) =>
      id !== undefined && key(shelf.products.get(id)!) === key(product)
    const missed = asked.filter(({ product, aisle }) => !isTyped(product)(aisle.ids[0]))
    forms.push({
      form: name,
      searches: asked.length,
      ceiling: ceilingOf(
        sought.map(({ product }) => key(product)),
        all.map(key),
      ),
      sides: {
        aisle: figuresOf(asked, 'aisle', isTyped),
        plain: figuresOf(asked, 'plain', isTyped),
      },
      missed: missed.map(({ text, product, aisle }) => ({
        text,
        id: product.id,
        first: aisle.ids[0],
      })),
    })
  }
  return { catalog: shelf.name, forms }
}

type Asked = Readonly<Record<Side, Found>> & { readonly product: CatalogProduct }
type IsTyped = (product: CatalogProduct) => (id: string | undefined) => boolean

const figuresOf = (asked: readonly Asked[], side: Side, isTyped: IsTyped): KnownFigures => ({
  first: mean(asked.map((one) => (isTyped(one.product)(one[side].ids[0]) ? 1 : 0))),
  itself: mean(asked.map((one) => (one[side].ids[0] === one.product.id ? 1 : 0))),
  mrr: mean(asked.map((one) => reciprocalRank(one[side].ids, isTyped(one.product)))),
})
