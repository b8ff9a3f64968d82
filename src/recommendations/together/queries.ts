import { all, anyOf, none, some, term } from '../../elastic/clauses.ts'
import type { Query, SearchBody } from '../../elastic/search.ts'
import { limits } from '../../limits.ts'

/** Workspaces that count: none that was deleted, nor the one that recommendations are for. */
export interface Counted {
  readonly without: readonly string[]
}

/** Items that nobody is about to take back. */
const items = ({ without }: Counted, more: readonly (Query | undefined)[]): Query =>
  all([
    term('kind', 'item'),
    none([{ exists: { field: 'batch' } }]),
    without.length > 0 ? none([anyOf('workspace', without)!]) : undefined,
    ...more,
  ])!

/** Workspaces that were deleted, whose items are removed later. */
export const deletedBody: SearchBody = {
  size: limits.resultWindow,
  track_total_hits: false,
  _source: ['id', 'gone', 'deleted'],
  query: all([
    term('kind', 'workspace'),
    some([{ exists: { field: 'deleted' } }, { exists: { field: 'gone' } }]),
  ])!,
}

/** The workspaces that have one of the lines, those changed last first. */
export const holdersBody = (lines: readonly string[], counted: Counted): SearchBody => ({
  size: limits.resultWindow,
  track_total_hits: false,
  _source: ['id', 'workspace'],
  query: items(counted, [anyOf('id', lines)]),
  sort: [{ added: 'desc' }, { id: 'asc' }],
})

const NEIGHBOURS = 100

/** What else is in these workspaces, and in how many. */
export const neighboursBody = (workspaces: readonly string[], counted: Counted): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query: items(counted, [anyOf('workspace', workspaces)]),
  aggs: { lines: { terms: { field: 'id', size: NEIGHBOURS, min_doc_count: 2 } } },
})

const PRECISE = 40_000

/** In how many workspaces each line is, and how many there are. */
export const frequencyBody = (lines: readonly string[], counted: Counted): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query: items(counted, []),
  aggs: {
    all: { cardinality: { field: 'workspace', precision_threshold: PRECISE } },
    lines: { terms: { field: 'id', include: [...lines], size: Math.max(1, lines.length) } },
  },
})

/** One item of each line, for its product. */
export const productsBody = (lines: readonly string[], counted: Counted): SearchBody => ({
  size: Math.max(1, lines.length),
  track_total_hits: false,
  _source: ['id', 'catalog', 'productId'],
  query: items(counted, [anyOf('id', lines)]),
  collapse: { field: 'id' },
})
