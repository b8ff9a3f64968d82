import { Invalid } from '../errors.ts'
import { once } from '../platform/once.ts'
import { ADMIN, call, type Elastic, reasonOf } from './client.ts'
import { createIndex, type IndexDefinition, readDefinitions } from './indices.ts'
import { type OwnIndex, ownKinds, PRODUCTS } from './own-index.ts'

const productsDefinition = once(
  async () => (await readDefinitions()).find(({ kind }) => kind === PRODUCTS)!,
)

/**
 * Creates the index of one catalog's products, unless it exists. Throws Invalid when the cluster's
 * limit of shards is reached.
 */
export async function createOwnIndex(elastic: Elastic, own: OwnIndex): Promise<void> {
  try {
    await createIndex(elastic, ownDefinition(await productsDefinition(), own))
  } catch (error) {
    // The cluster's limit of shards is the only such check.
    if (reasonOf(error) !== 'validation_exception') throw error
    throw new Invalid(
      `shards: the storage has no room for ${own.shards} more and their replicas; request fewer, or extend it`,
    )
  }
}

/** Like the shared index, except that products are spread over the shards by id alone. */
export function ownDefinition(
  products: IndexDefinition,
  { kind, shards }: OwnIndex,
): IndexDefinition {
  const { _routing, ...mappings } = products.mappings
  const settings = { ...products.settings, number_of_shards: shards }
  return { ...products, kind, settings, mappings }
}

/** Definitions of all own indices, with the version of the shared one. */
export async function ownDefinitions(
  elastic: Elastic,
  definition: IndexDefinition,
): Promise<IndexDefinition[]> {
  if (definition.kind !== PRODUCTS) return []
  const kinds = await ownKinds(elastic)
  return Promise.all(
    kinds.map(async (kind) => {
      const found = await call(() =>
        elastic.client.indices.getSettings({ index: elastic.indexName(kind) }, ADMIN),
      )
      const [{ settings } = {}] = Object.values(found)
      const shards = Number(settings?.index?.number_of_shards)
      return ownDefinition(definition, { kind, shards })
    }),
  )
}
