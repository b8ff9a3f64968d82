import { limits } from '../limits.ts'

/** The words of a search as reports and recent searches tell them apart; null without any. */
export function queryText(keywords: string | null): string | null {
  if (keywords === null) return null
  const text = keywords.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()
  return text.slice(0, limits.reportedQueryLength).toWellFormed() || null
}
