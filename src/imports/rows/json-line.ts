import { checkValue } from '../../platform/hostile.ts'
import { ProductBody } from '../../products/schemas.ts'
import type { RowChange } from './change.ts'
import { BadRow } from './csv-row.ts'

/** Reads one line of a jsonl file: a Product as the interface shows it. Throws BadRow. Pure. */
export function jsonRow(text: string): RowChange {
  const value = parsed(text)
  const { data, error } = ProductBody.safeParse(value)
  if (!data) {
    const issue = error.issues[0]!
    const path = issue.path.map(String).join('.')
    throw new BadRow(`${path || 'product'}: ${issue.message.replace(/^Invalid input: /, '')}`)
  }
  const { id, vendors, ...patch } = data
  return { id: id?.trim() || null, patch, offers: vendors ?? [] }
}

function parsed(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new BadRow('not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadRow('a line is one product, an object')
  }
  try {
    checkValue(value, 'product')
  } catch (error) {
    throw new BadRow((error as Error).message)
  }
  return value
}
