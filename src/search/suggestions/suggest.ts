import type { CatalogScope } from '../../catalogs/store.ts'
import { limits } from '../../limits.ts'
import type { Context } from '../../operation.ts'
import { inSteps } from '../../platform/in-steps.ts'
import { unitPrice } from '../../products/list-prices.ts'
import { leastPrice } from '../../products/offer-prices.ts'
import type { Product } from '../../products/product.ts'
import { shownProduct } from '../../products/view.ts'
import { fold } from '../../text.ts'
import { type Criteria, defaultCriteria } from '../criteria.ts'
import { boundsPrint, historyOf } from '../history.ts'
import type { FoundProductView } from '../results.ts'
import { runSearch } from '../run.ts'
import type { SearchTarget } from '../target.ts'
import { pastQueriesBody, readPastQueries } from './past-queries.ts'
import { catalogPhrases } from './phrases.ts'
import type { SuggestionKind, Suggestions } from './schemas.ts'
import {
  categoriesBegunBy,
  type FoundCategory,
  type FoundNames,
  makerIn,
  makersBegunBy,
  readVocabulary,
  type Vocabulary,
  vocabularyBody,
  vocabularyLength,
} from './vocabulary.ts'

/** A text that is being typed, with its catalog and caller. */
interface TypedIn {
  readonly ctx: Context
  readonly catalog: CatalogScope
  readonly target: SearchTarget
  readonly text: string
}

/** Suggests completions of a typed text. Costs no search credit and leaves no history. */
export async function suggest(
  typed: TypedIn,
  include: readonly SuggestionKind[],
): Promise<Suggestions> {
  // Everything matches an empty text, so only frequent past queries are useful.
  const isTyped = typed.text !== ''
  const wants = (kind: SuggestionKind) => isTyped && include.includes(kind)
  const [products, past, { makers, categories }] = await Promise.all([
    wants('products') || wants('queries') ? foundProducts(typed) : [],
    include.includes('queries') ? pastQueries(typed) : [],
    wants('categories') || wants('queries') ? foundNames(typed) : { makers: [], categories: [] },
  ])
  const found = { makers, categories, products: products.map(({ stored }) => stored) }
  return {
    ...(include.includes('products') ? { products: products.map(({ shown }) => shown) } : {}),
    ...(include.includes('queries')
      ? { queries: queriesOf(past, isTyped ? catalogPhrases(typed.text, found) : []) }
      : {}),
    ...(include.includes('categories') ? { categories: categories.map(shownCategory) } : {}),
  }
}

type ShownProduct = NonNullable<Suggestions['products']>[number]

interface FoundSuggestion {
  readonly stored: Product
  readonly shown: ShownProduct
}

/** So few letters begin a word of nearly every product, but only of a few types. */
const FEW_LETTERS = /^\p{L}{1,2}$/u

async function foundProducts({ target, text }: TypedIn): Promise<FoundSuggestion[]> {
  const criteria: Criteria = {
    ...defaultCriteria,
    keywords: text,
    typing: true,
    metadata: false,
    size: limits.suggestedProducts,
  }
  const ofTypes = FEW_LETTERS.test(text)
    ? await runSearch(target, { ...criteria, begunTypes: true })
    : undefined
  const { products, stored } =
    ofTypes?.products.length === criteria.size ? ofTypes : await runSearch(target, criteria)
  return products.map((product, at) => ({
    stored: stored[at]!,
    shown: shownSuggestion(product, shownProduct(stored[at]!, target.viewer)),
  }))
}

function shownSuggestion(found: FoundProductView, product: Product): ShownProduct {
  const { id, name, manufacturer, manufacturerPartNumber, image, images } = found
  return {
    ...{ id, name, manufacturer, manufacturerPartNumber },
    image: image ?? images[0]?.url ?? null,
    price: found.prices ? unitPrice(found.prices) : leastPrice(product),
    inStock: product.vendors.some(({ inStock }) => inStock),
  }
}

async function pastQueries({ ctx, catalog, text }: TypedIn): Promise<string[]> {
  const { caller, clock, signal } = ctx
  const body = pastQueriesBody({
    text,
    catalog: catalog.name,
    username: caller.keyType === 'search' ? null : caller.username,
    bounds: boundsPrint(caller),
    now: clock.now(),
  })
  return readPastQueries(await historyOf(ctx).search(body, { signal }))
}

async function foundNames(typed: TypedIn): Promise<FoundNames> {
  const { text } = typed
  const vocabulary = await vocabularyOf(typed)
  const whole = (await begunBy(text, vocabulary)).map((node) => ({ node }))
  const maker = makerIn(text, vocabulary)
  const own = maker ? await categoriesOf(typed, maker) : []
  return {
    makers: makersBegunBy(text, vocabulary),
    categories: [...own, ...whole].slice(0, limits.quicksearchValues),
  }
}

async function categoriesOf(
  typed: TypedIn,
  { name, rest }: { name: string; rest: string },
): Promise<FoundCategory[]> {
  const vocabulary = await vocabularyOf(typed, name)
  const nodes = rest === '' ? vocabulary.categories : await begunBy(rest, vocabulary)
  return nodes.slice(0, limits.quicksearchValues).map((node) => ({ node, manufacturer: name }))
}

const begunBy = (text: string, vocabulary: Vocabulary) =>
  inSteps(categoriesBegunBy(text, vocabulary))

/** The vocabulary of the catalog, cached for up to `limits.cacheMs`. */
async function vocabularyOf(
  { ctx, target: { products } }: TypedIn,
  manufacturer?: string,
): Promise<Vocabulary> {
  const { scope, visible } = products.place
  const id = JSON.stringify([scope, manufacturer ?? null, visible?.filter])
  // The first request loads for all, so the load does not end with its signal.
  const load = async () =>
    inSteps(readVocabulary(await products.search(vocabularyBody(manufacturer))))
  const options = { lengthOf: vocabularyLength }
  const found = await ctx.cache.get('vocabulary', id, load, options)
  return found!
}

const shownCategory = ({ node, manufacturer }: FoundCategory) => {
  const [segment, category, subCategory] = node.levels
  return {
    name: node.name,
    ...(segment === '' ? {} : { segment }),
    ...(category === '' ? {} : { category }),
    ...(subCategory === '' ? {} : { subCategory }),
    ...(manufacturer === undefined ? {} : { manufacturer: [manufacturer] }),
    products: node.products,
  }
}

/** Past queries, then phrases of the catalog, without duplicates. */
function queriesOf(past: readonly string[], phrases: readonly string[]): Suggestions['queries'] {
  const queries = new Map<string, { keywords: string; source: 'history' | 'catalog' }>()
  const add = (keywords: string, source: 'history' | 'catalog') => {
    const key = fold(keywords)
    if (!queries.has(key)) queries.set(key, { keywords, source })
  }
  for (const keywords of past) add(keywords, 'history')
  for (const keywords of phrases) add(keywords, 'catalog')
  return [...queries.values()].slice(0, limits.quicksearchValues)
}
