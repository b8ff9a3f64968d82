import type { Transport } from '@elastic/elasticsearch'

type ReadParams = Parameters<Transport['request']>[0]

/** Reads of documents, each of which any copy of its shard may answer. */
const READS_OF_COPIES = new Set(['_search', '_msearch', '_count', '_mget'])

export const isReadOfCopies = (api: string, method: string): boolean =>
  READS_OF_COPIES.has(api) || (api === '_doc' && method === 'GET')

/**
 * A read that leaves the choice of the copy to the node that is asked. Searches go to the one that
 * answers best lately; reads by id, of which Elasticsearch keeps no such figures, to the node's own.
 */
export function ofAnyCopy(params: ReadParams, api: string): ReadParams {
  const { bulkBody, querystring } = params
  if (api === '_doc' || api === '_mget') {
    return { ...params, querystring: { ...(querystring as object), preference: '_local' } }
  }
  if (api === '_msearch') {
    return { ...params, bulkBody: (bulkBody as object[]).map(withoutPreference) }
  }
  return { ...params, querystring: withoutPreference(querystring as object) }
}

/** Which shards are asked is no preference: it stays. */
function withoutPreference(given: { readonly preference?: string } = {}): object {
  const { preference, ...others } = given
  const shards = preference?.startsWith('_shards:') ? preference.split('|', 1)[0] : undefined
  return shards === undefined ? others : { ...others, preference: shards }
}
