import { useEffect, useState } from 'preact/hooks'
import { type Shop, useShop } from '../shop/shop.ts'
import type { CategoryBranch } from '../shop/types.ts'
import { suggest } from '../shop/use-suggestions.ts'

/** What is typed meanwhile does not wait behind all of them. */
const AT_ONCE = 3

/** By shop and path; null where nothing has one. */
const kept = new WeakMap<Shop, Map<string, string | null>>()

/** A picture of something in each aisle, by its path; by suggestions, which cost no search. */
export function useExamples(aisles: readonly CategoryBranch[]): ReadonlyMap<string, string | null> {
  const shop = useShop()
  const [images, setImages] = useState<ReadonlyMap<string, string | null>>(
    () => new Map(kept.get(shop)),
  )
  useEffect(() => {
    const known = kept.get(shop) ?? new Map<string, string | null>()
    kept.set(shop, known)
    const abort = new AbortController()
    const missing = aisles.filter(({ path }) => !known.has(path))
    const look = async () => {
      for (let aisle = missing.shift(); aisle; aisle = missing.shift()) {
        known.set(aisle.path, await exampleOf(shop, aisle, abort.signal))
        setImages(new Map(known))
      }
    }
    for (let at = 0; at < AT_ONCE; at += 1) look().catch(() => undefined)
    return () => abort.abort()
  }, [shop, aisles.map(({ path }) => path).join('\n')])
  return images
}

async function exampleOf(
  { connection, session }: Shop,
  { name, children }: CategoryBranch,
  signal: AbortSignal,
): Promise<string | null> {
  for (const words of [children[0]?.name, name]) {
    if (!words) continue
    const { products = [] } = await suggest(connection, session.access.catalog, words, signal)
    const image = products.find((product) => product.image)?.image
    if (image) return image
  }
  return null
}
