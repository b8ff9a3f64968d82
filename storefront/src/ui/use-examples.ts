import { useEffect, useState } from 'preact/hooks'
import { type Shop, useShop } from '../shop/shop.ts'
import type { CategoryBranch } from '../shop/types.ts'
import { suggest } from '../shop/use-suggestions.ts'

/** Leaves connections free for what the visitor types meanwhile. */
const AT_ONCE = 3

/** Picture URLs by shop and category path; null if there is none. */
const kept = new WeakMap<Shop, Map<string, string | null>>()

/** An example picture for each category path; by suggestions, which cost no search credits. */
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
