import { getWorkspaces } from 'aisle-client'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { messageOf } from './failure.ts'
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
      setProblem(messageOf(error))
    }
    setIsLoading(false)
  }, [connection])
  useEffect(() => {
    void load()
  }, [load])
  return { lists, isLoading, problem, load }
}
