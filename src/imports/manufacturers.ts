import { LRUCache } from 'lru-cache'
import type { CatalogScope } from '../catalogs/store.ts'
import type { FileRow } from '../formats/worker/messages.ts'
import type { Context } from '../operation.ts'
import { inSteps } from '../platform/in-steps.ts'
import type { Steps } from '../platform/steps.ts'
import type { ManufacturerNames } from '../products/manufacturer-names.ts'
import { manufacturerNamesOf, spellingsIn } from '../products/manufacturers.ts'
import { productsOf } from '../products/product-documents.ts'
import { detachedText } from '../text.ts'
import { withChanges } from './open-file.ts'

const LISTED = 10_000
const SEARCH_MS = 30_000

/**
 * Gives each manufacturer one spelling: that of the organization's table, else the most frequent in
 * the catalog, else the usual one, else the first in the import.
 */
export async function createManufacturers(ctx: Context, scope: CatalogScope) {
  const names = await manufacturerNamesOf(ctx)
  const options = { timeoutMs: SEARCH_MS, signal: ctx.signal }
  const known = await spellingsIn(productsOf(ctx, scope), LISTED, options)
  const spell = await inSteps(createSpelling(names, known))
  return {
    spell,
    /** The rows with those spellings. */
    normalised: (rows: readonly FileRow[]): readonly FileRow[] =>
      withChanges(rows, (change) => {
        const { manufacturer } = change.patch
        if (!manufacturer) return change
        return { ...change, patch: { ...change.patch, manufacturer: spell(manufacturer) } }
      }),
  }
}

/**
 * Finds one spelling for each manufacturer. `known` are those of the catalog, most common first.
 */
export function* createSpelling(
  names: ManufacturerNames,
  known: readonly string[],
): Steps<(name: string) => string> {
  const spellings = new Map<string, string>()
  // Cached because a file names few manufacturers in many rows.
  const forms = new LRUCache<string, string>({ max: LISTED })
  const formOf = (name: string): string => {
    const form = forms.get(name) ?? names.form(name)
    // Detached because a name is a slice of its row's text and would keep it in memory.
    if (!forms.has(name)) forms.set(detachedText(name), form)
    return form
  }
  const first = (name: string, spelling: string): string => {
    const form = formOf(name)
    if (form === '') return name
    const found = spellings.get(form)
    if (found !== undefined) return found
    if (spellings.size < 2 * LISTED) spellings.set(form, detachedText(spelling))
    return spelling
  }
  for (const name of known) {
    first(name, names.chosen(formOf(name)) ?? name)
    yield
  }
  return (name) => {
    const form = formOf(name)
    return spellings.get(form) ?? first(name, names.chosen(form) ?? names.usual(form) ?? name)
  }
}
