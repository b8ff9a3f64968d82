import type { Transport } from '@elastic/elasticsearch'

type ReadParams = Parameters<Transport['request']>[0]

/** Reads of documents that any copy of the shard can answer. */
const READS_OF_COPIES = new Set(['_search', '_msearch', '_count', '_mget'])

export const canReadAnyShardCopy = (api: string, method: string): boolean =>
  READS_OF_COPIES.has(api) || (api === '_doc' && method === 'GET')

/**
 * Lets the node choose the copy. Searches go to the copy that responds best; for reads by id
 * Elasticsearch keeps no such figures, so they go to the node's own copy.
 */
export function withAnyShardCopy(params: ReadParams, api: string): ReadParams {
  const { bulkBody, querystring } = params
  if (api === '_doc' || api === '_mget') {
    return { ...params, querystring: { ...(querystring as object), preference: '_local' } }
  }
  if (api === '_msearch') {
    return { ...params, bulkBody: (bulkBody as object[]).map(withoutPreference) }
  }
  return { ...params, querystring: withoutPreference(querystring as object) }
}

/** Removes the preference for a copy, but keeps the choice of shards. */
function withoutPreference(options: { readonly preference?: string } = {}): object {
  const { preference, ...others } = options
  const shards = preference?.startsWith('_shards:') ? preference.split('|', 1)[0] : undefined
  return shards === undefined ? others : { ...others, preference: shards }
}
