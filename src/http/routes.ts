import {
  type Binding,
  type Method,
  type Operation,
  REVISIONS,
  type Revision,
} from '../operation.ts'

/** One mounted route: an operation under one revision. */
export interface Route {
  readonly operation: Operation
  readonly revision: Revision | 'any'
  readonly method: Method
  /** With the revision's prefix: `/6.0/api/Catalog/:catalog/products`. */
  readonly path: string
  readonly binding: Binding<never, unknown>
}

/**
 * Every route of the table, most specific first, so that a literal is not taken for a parameter.
 */
export function routesOf(operations: readonly Operation[]): Route[] {
  const routes = operations.flatMap((operation) =>
    Object.entries(operation.bindings).map(([revision, binding]) => ({
      operation,
      revision: revision as Revision | 'any',
      method: binding.method,
      path: revision === 'any' ? binding.path : `/${revision}${binding.path}`,
      binding: binding as Binding<never, unknown>,
    })),
  )
  const seen = new Set<string>()
  for (const { method, path } of routes) {
    const key = `${method} ${path.replace(/:[^/]+/g, ':')}`
    if (seen.has(key)) throw new Error(`Two operations share ${method} ${path}`)
    seen.add(key)
  }
  return routes.sort((a, b) => bySpecificity(a.path, b.path))
}

/** Segment by segment from the left: literals before parameters. */
export function bySpecificity(a: string, b: string): number {
  const left = a.split('/')
  const right = b.split('/')
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = Number(left[i]!.startsWith(':')) - Number(right[i]!.startsWith(':'))
    if (difference !== 0) return difference
  }
  return left.length - right.length || a.localeCompare(b)
}

/** Matches a concrete path against the routes, whatever the method. */
export function matcher(routes: readonly Route[]): (path: string) => Route[] {
  const patterns = routes.map((route) => ({
    route,
    pattern: new RegExp(`^${route.path.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+')}$`),
  }))
  return (path) => patterns.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route)
}

/** A path without a prefix, and with the prefix of each revision. */
export const withRevisions = (path: string): string[] => [
  path,
  ...REVISIONS.map((revision) => `/${revision}${path}`),
]

/** The methods that a route answers. */
export const methodsOf = ({ method, binding }: Route): string[] =>
  method === 'GET' && !binding.noHead ? ['GET', 'HEAD'] : [method]
