import { AisleError, getWorkspaces } from 'aisle-client'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { useShop } from './shop.ts'
import type { Workspace } from './types.ts'

/** The workspaces of the organization, which the shop calls lists. */
export function useLists() {
  const { connection } = useShop()
  const [lists, setLists] = useState<readonly Workspace[]>([])
  const [isLoading, setIsLoading] = useState(true)
  const [problem, setProblem] = useState('')
  const load = useCallback(async () => {
    try {
      setLists((await getWorkspaces(connection)).workspaces)
      setProblem('')
    } catch (error) {
      setProblem(
        error instanceof AisleError ? error.message : 'We couldn’t load your lists. Try again.',
      )
    }
    setIsLoading(false)
  }, [connection])
  useEffect(() => {
    void load()
  }, [load])
  return { lists, isLoading, problem, load }
}
