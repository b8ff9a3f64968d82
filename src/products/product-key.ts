/** Names a product of some catalog. */
export interface ProductReference {
  readonly catalog: string
  readonly productId: string
}

/** The reference as a text, the same for the same product. */
export const productKey = ({ catalog, productId }: ProductReference): string =>
  JSON.stringify([catalog, productId])

export function parseProductKey(key: string): ProductReference {
  const [catalog, productId] = JSON.parse(key) as [string, string]
  return { catalog, productId }
}
