import { getTasks } from 'aisle-client'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { useConsole } from '../console.ts'
import { useLoaded } from '../parts/use-loaded.tsx'
import { type Asked, type Move, moveOf, withAsked } from './moves.ts'

/** Polling interval while a catalog moves. */
const EACH_MS = 1_500

export interface Moves {
  readonly of: (name: string) => Move | undefined
  /** Shows a requested move before its task exists. */
  expect(name: string): void
}

/** Moves in progress, polled while there are any; reloads the catalogs as well. */
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
  // Each poll schedules the next one.
  useEffect(() => {
    if (!isMoving) return
    const timer = setTimeout(async () => {
      await reload()
      // The catalogs now reflect what the tasks reported.
      await loadCatalogs().catch(() => undefined)
      setLooks((before) => before + 1)
    }, EACH_MS)
    return () => clearTimeout(timer)
  }, [isMoving, looks, reload, loadCatalogs])
  return { of, expect: (name) => setAsked((before) => withAsked(before, name, tasks)) }
}
