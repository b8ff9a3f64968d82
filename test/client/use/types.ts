import {
  type AisleError,
  aisleSearchClient,
  type Client,
  createClient,
  exportProducts,
  getCatalogs,
  type Product,
  pages,
  pagesAfter,
  search,
  walk,
} from 'aisle-client'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(..._same: Equal<A, B> extends true ? [] : [never]) => undefined

export async function used(client: Client, error: AisleError): Promise<void> {
  const found = await client.search({ catalog: 'tools', keywords: 'drill', facets: { most: 5 } })
  same<typeof found.total, number>()
  same<(typeof found.products)[number]['id'], string>()
  same<typeof error.retryAfter, number | undefined>()
  const product: Product = await client.getProduct({ catalog: 'c', id: 'x' })
  await client.updateProduct({ catalog: 'c', id: product.id, msrp: null }, { ifMatch: 3 })
  await client.updateProductTags({ catalog: 'c', productId: 'x', body: ['a'] })
  await client.uploadFile({ name: 'a.csv', body: new Blob(['id']) })
  const status = await client.status()
  same<typeof status, string>()
  const file = await client.readFile({ id: 'f' })
  same<typeof file, Response>()
  const table = await client.searchReport({ format: 'csv' })
  same<typeof table, string>()
  const report = await client.searchReport({ from: '2026-01-01' })
  same<typeof report extends string ? true : false, false>()
  await client.metadata({ catalog: 'c', counts: true })
  for await (const { products } of walk(client.search, { keywords: 'x' })) products.at(0)
  for await (const { organizations } of pages(client.getOrganizations, {})) organizations.at(0)
  const prices = pagesAfter(client.getPrices, { catalog: 'c', priceList: 'l' })
  for await (const { lines } of prices) lines.at(0)?.id
  for await (const { msrp } of exportProducts({ key: 'k' })) same<typeof msrp, number | null>()
  const { catalogs } = await getCatalogs({ url: 'https://x', key: 'k' })
  same<typeof catalogs extends readonly unknown[] ? true : false, true>()
  aisleSearchClient({ key: 'k' }).clearCache()
}

export async function refused(client: Client): Promise<void> {
  // @ts-expect-error a misspelt field
  await client.search({ keywrds: 'drill' })
  // @ts-expect-error there is no such order
  await client.search({ sort: 'cheapest' })
  // @ts-expect-error its catalog and id are needed
  await client.getProduct()
  // @ts-expect-error a walk is not narrowed by what there is not
  walk(client.search, { keywrds: 'x' })
  // @ts-expect-error it would answer the same page again and again
  pages(client.getPrices, { catalog: 'c', priceList: 'l' })
  // @ts-expect-error there is no such operation
  client.searchAll({})
  // @ts-expect-error an answer has no such field
  ;(await search({ key: 'k' }, {})).hits
  // @ts-expect-error a key is a text
  createClient({ key: 5 })
}
