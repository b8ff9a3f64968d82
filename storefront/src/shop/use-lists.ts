import { useCallback, useEffect, useState } from 'preact/hooks'
import { AisleError } from '../aisle/api.ts'
import type { Workspace } from '../aisle/types.ts'
import { useShop } from './shop.ts'

/** The workspaces of the organization, which the shop calls lists. */
export function useLists() {
  const { call } = useShop()
  const [lists, setLists] = useState<readonly Workspace[]>([])
  const [isLoading, setIsLoading] = useState(true)
  const [problem, setProblem] = useState('')
  const load = useCallback(async () => {
    try {
      const answer = await call<{ workspaces: readonly Workspace[] }>('GET', 'api/workspaces')
      setLists(answer.workspaces)
      setProblem('')
    } catch (error) {
      setProblem(error instanceof AisleError ? error.message : 'The lists cannot be shown.')
    }
    setIsLoading(false)
  }, [call])
  useEffect(() => {
    void load()
  }, [load])
  return { lists, isLoading, problem, load }
}
