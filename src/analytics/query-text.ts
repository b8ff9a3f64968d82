import { limits } from '../limits.ts'

/** Keywords normalized so that reports and recent searches can group them; null without any. */
export function queryText(keywords: string | null): string | null {
  if (keywords === null) return null
  const text = keywords.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()
  return text.slice(0, limits.reportedQueryLength).toWellFormed() || null
}
