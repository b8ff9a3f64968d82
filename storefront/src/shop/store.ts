import { useLayoutEffect, useState } from 'preact/hooks'

/** A value that components subscribe to. */
export interface Store<T> {
  get(): T
  set(value: T): void
  follow(listener: () => void): () => void
}

export function createStore<T>(initial: T): Store<T> {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of [...listeners]) listener()
    },
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns the value of a store and renders the component again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get())
  useLayoutEffect(() => {
    const read = () => setValue(() => store.get())
    read()
    return store.follow(read)
  }, [store])
  return value
}
