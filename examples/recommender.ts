import {
  type Call,
  type Extension,
  type Product,
  type RunRequest,
  serveFromCommandLine,
} from './server.ts'

/*
 * A recommender: for each product the best other ones that a search for its name finds. It reads
 * the catalog through the public interface of Aisle, with a search key that its installation has.
 */

const manifest = {
  id: 'name-recommender',
  kind: 'recommendation',
  name: 'Similar by name',
  description: 'Products whose names have the most in common.',
  fields: [
    { field: 'address', description: 'Where Aisle answers', dataType: 'url' },
    { field: 'key', description: 'A search key', fieldType: 'password', protected: true },
  ],
  calls: ['run'],
}

/** How many products are looked at, and how many are found for each. */
const ASKED = 10
const FOUND = 5
const SEARCH_MS = 1_500

interface Found {
  readonly id: string
  readonly name: string | null
  readonly manufacturerPartNumber: string | null
}

const wordsOf = (text: string | null) =>
  new Set((text ?? '').toLowerCase().match(/[\p{L}\p{N}]{2,}/gu))

/** A name ends with the kind of product; words with digits distinguish variants. */
const kindOf = (name: string | null): string =>
  [...wordsOf(name)]
    .filter((word) => !/\d/.test(word))
    .slice(-2)
    .join(' ')

/** Similarity of two names: 1 if they have the same words, 0 if they share none. */
function likeness(a: string | null, b: string | null): number {
  const [left, right] = [wordsOf(a), wordsOf(b)]
  const shared = [...left].filter((word) => right.has(word)).length
  const all = left.size + right.size - shared
  return all === 0 ? 0 : shared / all
}

async function search(
  { address = '', key = '' }: Readonly<Record<string, string>>,
  { catalog, name }: Product,
): Promise<readonly Found[]> {
  const url = new URL('/api/search/simple', address)
  url.searchParams.set('catalog', catalog)
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'x-api-version': '6.0',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ keywords: kindOf(name), pageSize: 50 }),
    signal: AbortSignal.timeout(SEARCH_MS),
  })
  if (!answer.ok) throw new Error(`the search was answered with ${answer.status}`)
  const { products } = (await answer.json()) as { products: Found[] }
  return products
}

async function matchesOf(fields: Readonly<Record<string, string>>, product: Product) {
  const found = await search(fields, product)
  return found
    .filter(({ id }) => id !== product.id)
    .map((other) => ({
      productId: other.id,
      scorer: 'name',
      source: product.catalog,
      matchedTo: product.name,
      matchGroup: product.id,
      mfp: other.manufacturerPartNumber,
      name: other.name,
      score: likeness(product.name, other.name),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, FOUND)
}

export const recommender: Extension = {
  manifest,
  calls: {
    async run({ installation, request }: Call<RunRequest>) {
      const asked = request.products.slice(0, ASKED)
      try {
        const matches = await Promise.all(asked.map((one) => matchesOf(installation.fields, one)))
        const possibleProducts = matches.flat()
        return {
          products: [...new Set(possibleProducts.map(({ productId }) => productId))],
          possibleProducts,
        }
      } catch (error) {
        console.error(error)
        return { error: 'The catalog could not be read with this address and key.' }
      }
    },
  },
}

if (import.meta.main) await serveFromCommandLine(recommender, 4011)
