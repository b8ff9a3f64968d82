import { Conflict } from '../errors.ts'
import type { Applied } from '../imports/writing/draft.ts'
import type { ProductDocument } from '../products/product.ts'

/** Requests that a product remembers: more than are interrupted before one of them is sent again. */
const REMEMBERED = 8

/** What a line did, or why it was refused. */
type LineOutcome = string | object

/**
 * Applies the lines of a request that may be repeated (undefined: it may not). A repetition changes
 * nothing and counts as many as `updated`, though not which ones.
 */
export function writtenOnce<Outcome extends LineOutcome>(
  existing: ProductDocument,
  applied: Applied<Outcome>,
  request: string | undefined,
): Applied<Outcome | 'updated' | 'unchanged' | Conflict> {
  if (request === undefined) return applied
  const { offerWrites: before = [] } = existing
  const { document, outcomes } = applied
  const done = before.find((write) => write.request === request)
  if (done) {
    let { updated } = done
    const again = outcomes.map((outcome, at) => {
      if (done.refused?.includes(at)) return typeof outcome === 'string' ? REFUSED : outcome
      return updated-- > 0 ? 'updated' : 'unchanged'
    })
    return { document: undefined, outcomes: again }
  }
  if (!document) return applied
  const updated = outcomes.filter((outcome) => outcome === 'updated').length
  const refused = [...outcomes.keys()].filter((at) => typeof outcomes[at] !== 'string')
  const write = { request, updated, ...(refused.length > 0 ? { refused } : {}) }
  const offerWrites = [...before, write].slice(-REMEMBERED)
  return { ...applied, document: { ...document, offerWrites } }
}

const REFUSED = new Conflict('It was refused before the request was interrupted.')
