import { STATUS } from '../errors.ts'
import type { OffersResponse } from './offer-schemas.ts'
import type { PricesResponse } from './price-schemas.ts'
import type { BatchResponse } from './schemas.ts'

/**
 * Combines the answers of two attempts at one request. The second attempt does what the first had
 * no time for, and reports everything else as unchanged.
 */
export interface Answers<Answer> {
  /** Positions, from 0, of the items that the request had no time for. */
  openIn(answer: Answer): number[]
  /** The combined answer of both attempts. */
  together(before: Answer, now: Answer): Answer
}

interface Result {
  readonly status: number
}

const isOpen = ({ status }: Result): boolean => status === STATUS.unavailable

const openResults = ({ results }: { readonly results: readonly Result[] }): number[] =>
  [...results.keys()].filter((at) => isOpen(results[at]!))

const resultsTogether = <One extends Result>(before: readonly One[], now: readonly One[]): One[] =>
  before.map((result, at) => (isOpen(result) ? now[at]! : result))

type BatchCounts = Omit<BatchResponse, 'success' | 'message'>

export function batchAnswer({ results, ...counts }: BatchCounts): BatchResponse {
  const { created, updated, unchanged, deleted, failed } = counts
  return {
    success: failed === 0,
    message: `${results.length} operations: ${created} created, ${updated} updated, ${unchanged} unchanged, ${deleted} deleted, ${failed} failed.`,
    ...counts,
    results,
  }
}

export const batchAnswers: Answers<BatchResponse> = {
  openIn: openResults,
  together(before, now) {
    const open = openResults(before).length
    return batchAnswer({
      created: before.created + now.created,
      updated: before.updated + now.updated,
      unchanged: before.unchanged + now.unchanged - (before.results.length - open),
      deleted: before.deleted + now.deleted,
      failed: before.failed + now.failed - open,
      results: resultsTogether(before.results, now.results),
    })
  },
}

type PriceCounts = Pick<PricesResponse, 'updated' | 'rejected' | 'results'>

export function pricesAnswer({ updated, rejected, results }: PriceCounts): PricesResponse {
  const unchanged = results.length - updated - rejected
  return {
    success: rejected === 0,
    message: `${results.length} prices: ${updated} updated, ${unchanged} unchanged, ${rejected} rejected.`,
    ...{ updated, unchanged, rejected, results },
  }
}

export const pricesAnswers: Answers<PricesResponse> = {
  openIn: openResults,
  together: (before, now) =>
    pricesAnswer({
      updated: before.updated + now.updated,
      rejected: before.rejected + now.rejected - openResults(before).length,
      results: resultsTogether(before.results, now.results),
    }),
}

interface OfferCounts extends Pick<OffersResponse, 'updated' | 'rejects'> {
  readonly offers: number
}

export function offersAnswer({ offers, updated, rejects }: OfferCounts): OffersResponse {
  const rejected = rejects.length
  const unchanged = offers - updated - rejected
  return {
    success: rejected === 0,
    message: `${offers} offers: ${updated} updated, ${unchanged} unchanged, ${rejected} rejected.`,
    ...{ updated, unchanged, rejected, rejects },
  }
}

export const offersAnswers: Answers<OffersResponse> = {
  openIn: ({ rejects }) => rejects.filter(isOpen).map(({ index }) => index),
  together(before, now) {
    const rejects = [...before.rejects.filter((one) => !isOpen(one)), ...now.rejects]
    return offersAnswer({
      offers: before.updated + before.unchanged + before.rejected,
      updated: before.updated + now.updated,
      rejects: rejects.sort((a, b) => a.index - b.index),
    })
  },
}
