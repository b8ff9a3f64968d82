import { limits } from '../limits.ts'
import { oneLine } from '../platform/one-line.ts'

/** Keywords normalized so that reports and recent searches can group them; null without any. */
export function queryText(keywords: string | null): string | null {
  if (keywords === null) return null
  const text = oneLine(keywords.normalize('NFC').toLowerCase())
  return text.slice(0, limits.reportedQueryLength).toWellFormed() || null
}
