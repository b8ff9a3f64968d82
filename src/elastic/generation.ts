import type { Collection } from './collection.ts'
import type { CallOptions } from './place.ts'

/**
 * A name of what searches of a place see, which every visible write changes on every instance. For
 * places of one shard, where each write takes the next number: the count up to the highest number
 * tells removals apart, too. About 2 ms where there are 20,000 documents.
 */
export async function generationOf(
  { search }: Pick<Collection<object>, 'search'>,
  options: CallOptions,
): Promise<string> {
  const { hits } = await search(
    {
      size: 1,
      _source: false,
      track_total_hits: true,
      seq_no_primary_term: true,
      sort: [{ _seq_no: 'desc' }],
    },
    options,
  )
  const [latest] = hits.hits
  const total = typeof hits.total === 'number' ? hits.total : hits.total?.value
  return [latest?._index, latest?._primary_term, latest?._seq_no, total].join(' ')
}
