import { Conflict } from '../errors.ts'
import type { Applied } from '../imports/writing/draft.ts'
import type { ProductDocument } from '../products/product.ts'

/**
 * Requests that a product remembers. It covers those interrupted before one of them is repeated.
 */
const REMEMBERED = 8

/** The outcome of a line, or the reason for its refusal. */
type LineOutcome = string | object

/**
 * Returns what the lines of a request did, if it may be repeated (`request` is defined). A
 * repetition changes nothing and reports as many lines as `updated`, though not necessarily the
 * same ones.
 */
export function withRequestOutcome<Outcome extends LineOutcome>(
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

const REFUSED = new Conflict('It was rejected before the request was interrupted.')
