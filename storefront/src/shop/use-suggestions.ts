import { type Connection, quicksearch } from 'aisle-client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useShop } from './shop.ts'
import { useStore } from './store.ts'
import type { Suggestions } from './types.ts'

const KEPT = 50

/**
 * Suggestions for a text at each keystroke, once its hits are shown: both at once would compete for
 * the service. Of several answers the newest is kept.
 */
export function useSuggestions(text: string, isWanted: boolean): Suggestions {
  const { connection, session, search } = useShop()
  const results = useStore(search.results)
  const status = useStore(search.status)
  const [suggestions, setSuggestions] = useState<Suggestions>({})
  const kept = useRef(new Map<string, Suggestions>())
  // An empty text gets suggestions too: what others search for.
  const wanted = isWanted ? text.trim() : undefined
  const isDue =
    wanted === '' || status.kind === 'failed' || (results && results.query.trim() === wanted)
  useEffect(() => {
    if (wanted === undefined) {
      setSuggestions({})
      return
    }
    const known = kept.current.get(wanted)
    if (known) {
      setSuggestions(known)
      return
    }
    if (!isDue) return
    const abort = new AbortController()
    suggest(connection, session.access.catalog, wanted, abort.signal).then(
      (found) => {
        if (kept.current.size >= KEPT) kept.current.clear()
        kept.current.set(wanted, found)
        setSuggestions(found)
        // The results below report a failure.
      },
      () => undefined,
    )
    return () => abort.abort()
  }, [wanted, isDue, connection, session])
  return wanted === undefined ? {} : suggestions
}

/** Costs no search credit and is not recorded in the history. */
export async function suggest(
  connection: Connection,
  catalog: string,
  text: string,
  signal?: AbortSignal,
): Promise<Suggestions> {
  const include = text === '' ? 'queries' : 'queries,categories,products'
  const { suggestions } = await quicksearch(
    connection,
    { catalog, search: text, include },
    { signal },
  )
  return suggestions ?? {}
}
