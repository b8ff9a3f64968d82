import { ADMIN, call, type Elastic, statusOf } from './client.ts'

/** The index that catalogs share. */
export const PRODUCTS = 'products'
/** All indices of products, shared and own. */
export const ALL_PRODUCTS = 'products-all'

/** An index that holds the products of one catalog. */
export interface OwnIndex {
  /** Its name after the prefix; never used for another index. */
  readonly kind: string
  readonly shards: number
}

const OWN = `${PRODUCTS}-own-`

/** The kind of an own index with this id. */
export const ownKind = (id: string): string => `${OWN}${id}`

/** An own index that is not created yet; `id` must be unique. */
export const ownIndexOf = (id: string, shards: number): OwnIndex => ({
  kind: ownKind(id.toLowerCase()),
  shards,
})

export const isOwnKind = (kind: string): boolean => kind.startsWith(OWN)

/** The indices behind an alias or pattern, with their aliases. */
export const indicesBehind = ({ client }: Elastic, name: string) =>
  call(async () => {
    try {
      return await client.indices.getAlias({ name }, ADMIN)
    } catch (error) {
      if (statusOf(error) === 404) return {}
      throw error
    }
  })

/** The kinds of all own indices. */
export async function ownKinds(elastic: Elastic): Promise<string[]> {
  const begin = elastic.indexName(OWN)
  const found = await indicesBehind(elastic, `${begin}*`)
  const aliases = Object.values(found).flatMap((one) => Object.keys(one.aliases))
  const names = new Set(aliases.filter((alias) => alias.startsWith(begin)))
  return [...names].map((name) => ownKind(name.slice(begin.length)))
}

/** The kinds of empty own indices created before a time. */
export async function emptyOwnKinds(elastic: Elastic, before: Date): Promise<string[]> {
  const { client } = elastic
  const kinds: string[] = []
  for (const kind of await ownKinds(elastic)) {
    const index = elastic.indexName(kind)
    const found = await call(() =>
      client.indices.getSettings({ index, ignore_unavailable: true }, ADMIN),
    )
    const ages = Object.values(found).map(({ settings }) => Number(settings?.index?.creation_date))
    if (ages.length === 0 || !ages.every((made) => made < before.getTime())) continue
    await call(() => client.indices.refresh({ index, ignore_unavailable: true }, ADMIN))
    const { count, _shards } = await call(() =>
      client.count({ index, ignore_unavailable: true }, ADMIN),
    )
    if (count === 0 && _shards.failed === 0) kinds.push(kind)
  }
  return kinds
}

/** Deletes an own index and its contents. A missing one is no error. */
export async function deleteOwnIndex(
  elastic: Elastic,
  { kind }: Pick<OwnIndex, 'kind'>,
): Promise<void> {
  if (!isOwnKind(kind)) throw new Error(`${kind} is not the index of a single catalog`)
  const index = Object.keys(await indicesBehind(elastic, elastic.indexName(kind)))
  if (index.length === 0) return
  const { indices } = elastic.client
  await call(() => indices.delete({ index, ignore_unavailable: true }, ADMIN))
}
