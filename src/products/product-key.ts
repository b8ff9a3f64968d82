/** Identifies a product in a catalog by its name. */
export interface ProductReference {
  readonly catalog: string
  readonly productId: string
}

/** The reference as a string; equal references give equal strings. */
export const productKey = ({ catalog, productId }: ProductReference): string =>
  JSON.stringify([catalog, productId])

export function parseProductKey(key: string): ProductReference {
  const [catalog, productId] = JSON.parse(key) as [string, string]
  return { catalog, productId }
}
