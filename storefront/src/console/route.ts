/** What an address of the console says; all of it is text that anybody may have written. */
export interface Route {
  readonly page: string
  readonly catalog?: string
  readonly id?: string
  /** What is searched, or the part of a page that is open. */
  readonly q?: string
  readonly tab?: string
  /** How products are narrowed; a category by its path. */
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

/** The address of a route, for links: relative, so that a proxy may add a path in front. */
export function formatRoute(route: Route): string {
  const said = NAMES.flatMap((name): [string, string][] => {
    const value = route[name]
    return value ? [[name, value]] : []
  })
  return `?${new URLSearchParams(said)}`
}
