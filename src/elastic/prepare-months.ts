import type { estypes } from '@elastic/elasticsearch'
import { ADMIN, call, type Elastic, reasonOf, translate } from './client.ts'
import { monthlyKind } from './monthly-names.ts'

/**
 * Creates this and the next month's index of every monthly kind. Left to the first write, an index
 * would make searches of its kind fail until its shards have started.
 */
export async function prepareMonths(elastic: Elastic, now: Date): Promise<void> {
  const { client, indexName } = elastic
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  const kinds = await monthlyKinds(elastic)
  const wanted = kinds
    .flatMap((kind) => [monthlyKind(kind, now), monthlyKind(kind, next)])
    .map(indexName)
  if (wanted.length === 0) return
  const found = await call(() =>
    client.indices.getAlias({ index: wanted, ignore_unavailable: true }, ADMIN),
  )
  const missing = wanted.filter((index) => !(index in found))
  await Promise.all(missing.map((index) => createMissing(elastic, { index })))
}

/** The monthly kinds, from their templates. */
export async function monthlyKinds(elastic: Elastic): Promise<string[]> {
  const { client, indexName, settings } = elastic
  const { index_templates: templates } = await call(() =>
    client.indices.getIndexTemplate({ name: indexName('*') }, { ...ADMIN, ignore: [404] }),
  )
  // The prefix of another service may begin with ours.
  return templates
    .filter(({ index_template: { _meta } }) => _meta?.prefix === settings.prefix)
    .map(({ name }) => name.slice(indexName('').length))
}

/** Creates an index, unless another instance or a concurrent write was faster. */
export async function createMissing(
  { client }: Elastic,
  request: estypes.IndicesCreateRequest,
): Promise<void> {
  await client.indices.create(request, ADMIN).catch((error: unknown) => {
    if (reasonOf(error) !== 'resource_already_exists_exception') throw translate(error)
  })
}
