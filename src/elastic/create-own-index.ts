import { Invalid } from '../errors.ts'
import { ADMIN, call, type Elastic, reasonOf } from './client.ts'
import { createIndex, type IndexDefinition, readDefinitions } from './indices.ts'
import { type OwnIndex, ownKinds, PRODUCTS } from './own-index.ts'

let products: Promise<IndexDefinition> | undefined

const productsDefinition = () => {
  products ??= readDefinitions().then((all) => all.find(({ kind }) => kind === PRODUCTS)!)
  return products
}

/**
 * Makes an index for the products of one catalog; one that is there stays. Throws Invalid where the
 * cluster takes no more shards.
 */
export async function createOwnIndex(elastic: Elastic, own: OwnIndex): Promise<void> {
  try {
    await createIndex(elastic, ownDefinition(await productsDefinition(), own))
  } catch (error) {
    // Its limit of shards is all that it checks so.
    if (reasonOf(error) !== 'validation_exception') throw error
    throw new Invalid(
      `shards: the storage has no room for ${own.shards} more with their copies; ask for fewer, or have it extended.`,
    )
  }
}

/** As the index that catalogs share, but that its id alone says in which shard a product lies. */
export function ownDefinition(
  products: IndexDefinition,
  { kind, shards }: OwnIndex,
): IndexDefinition {
  const { _routing, ...mappings } = products.mappings
  const settings = { ...products.settings, number_of_shards: shards }
  return { ...products, kind, settings, mappings }
}

/** The definitions of all own indices, of the same version as that of products. */
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
