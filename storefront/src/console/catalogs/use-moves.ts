import { getTasks } from 'aisle-client'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { useConsole } from '../console.ts'
import { useLoaded } from '../parts/use-loaded.tsx'
import { type Asked, type Move, moveOf, withAsked } from './moves.ts'

/** How often tasks and catalogs are read while a catalog moves. */
const EACH_MS = 1_500

export interface Moves {
  readonly of: (name: string) => Move | undefined
  /** A catalog is to be moved from now on. */
  expect(name: string): void
}

/** Which catalogs move, read for as long as any does; those that arrived are then read anew. */
export function useMoves(): Moves {
  const { connection, catalogs, loadCatalogs } = useConsole()
  const names = useStore(catalogs).map(({ name }) => name)
  const [asked, setAsked] = useState<Asked>(new Map())
  const [looks, setLooks] = useState(0)
  const load = useCallback(
    (signal: AbortSignal) => getTasks(connection, { includeDismissed: true }, { signal }),
    [connection],
  )
  const { value, reload } = useLoaded(load)
  const tasks = value?.items ?? []
  const of = (name: string) => moveOf(name, tasks, asked)
  const isMoving = names.some((name) => of(name)?.isOver === false)
  // Each look is followed by the next one.
  useEffect(() => {
    if (!isMoving) return
    const timer = setTimeout(async () => {
      await reload()
      // What the tasks say is so by now.
      await loadCatalogs().catch(() => undefined)
      setLooks((before) => before + 1)
    }, EACH_MS)
    return () => clearTimeout(timer)
  }, [isMoving, looks, reload, loadCatalogs])
  return { of, expect: (name) => setAsked((before) => withAsked(before, name, tasks)) }
}
