import { useEffect, useRef, useState } from 'preact/hooks'
import type { Call } from '../aisle/api.ts'
import type { Suggestions } from '../aisle/types.ts'
import { useShop } from './shop.ts'

const KEPT = 50

/** What a text may become, with each key stroke; of several answers the newest stays. */
export function useSuggestions(text: string, isWanted: boolean): Suggestions {
  const { call, session } = useShop()
  const [suggestions, setSuggestions] = useState<Suggestions>({})
  const kept = useRef(new Map<string, Suggestions>())
  const wanted = isWanted ? text.trim() : ''
  useEffect(() => {
    if (wanted === '') {
      setSuggestions({})
      return
    }
    const known = kept.current.get(wanted)
    if (known) {
      setSuggestions(known)
      return
    }
    const abort = new AbortController()
    suggest(call, session.access.catalog, wanted, abort.signal).then(
      (found) => {
        if (kept.current.size >= KEPT) kept.current.clear()
        kept.current.set(wanted, found)
        setSuggestions(found)
        // The results below tell of a failure.
      },
      () => undefined,
    )
    return () => abort.abort()
  }, [wanted, call, session])
  return wanted === '' ? {} : suggestions
}

/** Costs no search credit and is kept in no history. */
export async function suggest(
  call: Call,
  catalog: string,
  text: string,
  signal?: AbortSignal,
): Promise<Suggestions> {
  const query = new URLSearchParams({
    catalog,
    search: text,
    include: 'queries,categories,products',
  })
  const answer = await call<{ suggestions?: Suggestions }>(
    'GET',
    `api/search/quicksearch?${query}`,
    signal ? { signal } : {},
  )
  return answer.suggestions ?? {}
}
