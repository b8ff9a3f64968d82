import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Failed, Loading } from '../../ui/states.tsx'
import { problemOf } from '../problem.ts'

export interface Loaded<T> {
  readonly value: T | undefined
  readonly problem: string
  reload(): Promise<void>
}

/** Loads data when the screen opens, and again whenever `load` changes. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ value?: T; problem: string }>({ problem: '' })
  const latest = useRef<AbortController | undefined>(undefined)
  const reload = useCallback(async () => {
    latest.current?.abort()
    const mine = new AbortController()
    latest.current = mine
    try {
      const value = await load(mine.signal)
      if (!mine.signal.aborted) setState({ value, problem: '' })
    } catch (error) {
      if (!mine.signal.aborted) setState(({ value }) => ({ ...kept(value), ...said(error) }))
    }
  }, [load])
  useEffect(() => {
    void reload()
    return () => latest.current?.abort()
  }, [reload])
  return { value: state.value, problem: state.problem, reload }
}

const kept = <T,>(value: T | undefined) => (value === undefined ? {} : { value })

function said(error: unknown) {
  const { place, text } = problemOf(error)
  return { problem: place ? `${place}: ${text}` : text }
}

interface ShownProps<T> {
  readonly of: Loaded<T>
  readonly children: (value: T) => ComponentChildren
}

/** Renders loaded data, a loading state, or a problem. */
export function Shown<T>({ of: { value, problem, reload }, children }: ShownProps<T>) {
  if (problem && value === undefined) {
    return <Failed title="Couldn’t load this" problem={problem} retry={reload} />
  }
  if (value === undefined) return <Loading />
  return (
    <>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {children(value)}
    </>
  )
}
