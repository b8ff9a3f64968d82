/** The parameters of an address of the console; all of it is untrusted text. */
export interface Route {
  readonly page: string
  readonly catalog?: string
  readonly id?: string
  /** The search, or the part of a page that is open. */
  readonly q?: string
  readonly tab?: string
  /** Product filters; categories by their path. */
  readonly category?: string
  readonly manufacturer?: string
  readonly vendor?: string
}

const NAMES = ['page', 'catalog', 'id', 'q', 'tab', 'category', 'manufacturer', 'vendor'] as const

export function parseRoute(query: string): Route {
  const given = new URLSearchParams(query)
  const said = NAMES.flatMap((name) => {
    const value = given.get(name)
    return value ? [[name, value] as const] : []
  })
  return { page: 'catalogs', ...Object.fromEntries(said) }
}

/** Formats the address of a route; relative, so that a proxy may add a path prefix. */
export function formatRoute(route: Route): string {
  const said = NAMES.flatMap((name): [string, string][] => {
    const value = route[name]
    return value ? [[name, value]] : []
  })
  return `?${new URLSearchParams(said)}`
}
