import type { CatalogScope } from '../../catalogs/store.ts'
import { BadRow } from '../../formats/rows/mapped-row.ts'
import type { RowChange } from '../../formats/rows/row-change.ts'
import type { Context } from '../../operation.ts'
import { productsOf } from '../../products/product-documents.ts'
import { retryUntilCancelled } from '../../tasks/backoff.ts'
import { findByKeys } from './find-by-keys.ts'
import { SHARING } from './key-matches.ts'
import { idFromKey, type KeyKind, keysOfRow, leadingKeys, type RowKey } from './row-keys.ts'

/** How the rows so far identify products; `mixed` if in several ways. */
export type Naming = 'id' | KeyKind | 'mixed' | null

/** Finds the product of each row. */
export type Resolver = ReturnType<typeof createResolver>

interface ResolverOptions {
  readonly ctx: Context
  readonly scope: CatalogScope
  /** Spells a manufacturer as in the rows. */
  readonly spell?: ((name: string) => string) | undefined
  /** Whether the catalog was empty when the import began. */
  readonly empty: boolean
  readonly naming: Naming
  readonly isCancelled: () => boolean
  /** Resolves when all rows resolved so far are written. */
  readonly drained: () => Promise<void>
  /** Called between parts of a search. */
  readonly pause?: () => Promise<void>
}

const textsOf = (keys: readonly RowKey[]) => keys.map(({ text }) => text)

const NONE: readonly RowKey[] = []
/** Number of keys to remember before relying on the index again. */
const REMEMBERED = 20_000

interface KeyedRow {
  readonly row: RowChange
  readonly keys: readonly RowKey[]
  readonly leading: readonly RowKey[]
}

/**
 * Rows with ids need no search, nor do rows in a catalog that was empty, as long as all use one
 * kind of key, since the key then determines the id. Otherwise keys are searched, and keys of this
 * import are remembered until the index has them.
 */
export function createResolver(options: ResolverOptions) {
  const { ctx, scope, spell = (name) => name, isCancelled, drained, pause } = options
  const known = new Map<string, string[]>()
  /** Keys that were searched. `known` alone may lack products of other imports. */
  const searched = new Set<string>()
  let naming = options.naming
  let searching = false
  let begun = false

  function note(rows: readonly KeyedRow[]): void {
    for (const { row, leading } of rows) {
      const way = row.id !== null ? 'id' : leading.length > 1 ? 'mixed' : leading[0]?.kind
      if (way && naming !== 'mixed') naming = naming === null || naming === way ? way : 'mixed'
    }
  }

  const mustSearch = (): boolean =>
    naming === 'mixed' || (naming !== 'id' && naming !== null && !options.empty)

  async function showInIndex(): Promise<void> {
    await drained()
    await retryUntilCancelled(isCancelled, () => productsOf(ctx, scope).refresh())
    known.clear()
    searched.clear()
  }

  const remember = (texts: readonly string[], id: string) => {
    for (const text of texts) {
      const ids = known.get(text)
      if (!ids) known.set(text, [id])
      else if (ids.length < SHARING && !ids.includes(id)) ids.push(id)
    }
  }

  async function search(rows: readonly KeyedRow[]): Promise<void> {
    const wanted = rows
      .filter(({ row }) => row.id === null)
      .flatMap(({ leading }) => leading)
      .filter(({ text }) => !searched.has(text))
    const found = await retryUntilCancelled(isCancelled, () =>
      findByKeys(ctx, { scope, spell, pause }, wanted),
    )
    for (const { text } of wanted) searched.add(text)
    for (const { texts, id } of found) remember(texts, id)
  }

  function idOf({ row, leading }: KeyedRow): string | BadRow {
    if (row.id !== null) return row.id
    const [first] = leading
    if (!first) return new BadRow(NAMELESS)
    if (!searching) return idFromKey(first)
    const ids = new Set(leading.flatMap(({ text }) => known.get(text) ?? []))
    if (ids.size > 1)
      return new BadRow(`matches several products: ${[...ids].slice(0, 5).join(', ')}`)
    return [...ids][0] ?? idFromKey(first)
  }

  function keyed(row: RowChange): KeyedRow {
    if (row.id !== null && !searching) return { row, keys: NONE, leading: NONE }
    const keys = keysOfRow(row)
    return { row, keys, leading: row.id === null ? leadingKeys(keys) : [] }
  }

  return {
    get naming(): Naming {
      return naming
    },
    /** Like `resolve` without waiting, for a part of a batch; undefined when a search is needed. */
    direct(batch: readonly RowChange[]): (string | BadRow)[] | undefined {
      if (searching) return undefined
      const rows = batch.map(keyed)
      note(rows)
      if (mustSearch()) return undefined
      begun = true
      return rows.map(idOf)
    },
    /**
     * A product id, or the reason why there is none, for each row. Must be called for one batch at
     * a time. Later rows find a product by the numbers that `written` gives it.
     */
    async resolve(
      batch: readonly RowChange[],
      written?: readonly RowChange[],
    ): Promise<(string | BadRow)[]> {
      let rows = batch.map(keyed)
      note(rows)
      if (!searching && mustSearch()) {
        // No keys were remembered so far, so the index must have them.
        if (begun) await showInIndex()
        searching = true
        rows = batch.map(keyed)
      }
      begun = true
      if (!searching) return rows.map(idOf)
      if (known.size + searched.size > REMEMBERED) await showInIndex()
      await search(rows)
      return rows.map((one, at) => {
        const id = idOf(one)
        const keys = written ? keysOfRow(written[at]!) : one.keys
        if (typeof id === 'string') remember(textsOf(keys), id)
        return id
      })
    },
  }
}

const NAMELESS =
  'identifies no product: no id, no manufacturer with part number, no vendor with part number, no UPC'
