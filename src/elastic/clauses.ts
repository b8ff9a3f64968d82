import type { Query } from './search.ts'

/** A query clause. Undefined stands for no condition, and `all`, `some` and `none` drop it. */
export type Clause = Query | undefined

export const term = (field: string, value: string | boolean): Query => ({
  term: { [field]: value },
})

/** Scores `boost` where the filter matches, independent of term statistics. */
export const constant = (filter: Query, boost: number): Query => ({
  constant_score: { filter, boost },
})

/**
 * Names a clause, so that answers tell what it contributes to a hit. Without a name, returns it
 * unchanged.
 */
export function namedClause(query: Query, name: string | false): Query {
  if (name === false) return query
  const [[type, body]] = Object.entries(query) as [[string, object]]
  return { [type]: { ...body, _name: name } }
}

export const anyOf = (field: string, values: readonly string[]): Clause =>
  values.length === 0 ? undefined : { terms: { [field]: [...values] } }

/** Both ends are inclusive; null leaves an end open. */
export function range(field: string, min: number | null, max: number | null): Clause {
  if (min === null && max === null) return undefined
  return {
    range: {
      [field]: { ...(min === null ? {} : { gte: min }), ...(max === null ? {} : { lte: max }) },
    },
  }
}

export const nested = (path: string, query: Query): Query => ({ nested: { path, query } })

export const present = (clauses: readonly Clause[]): Query[] =>
  clauses.filter((clause) => clause !== undefined)

/** Every clause must hold; undefined when there is none. */
export function all(clauses: readonly Clause[]): Clause {
  const filter = present(clauses)
  return filter.length === 0 ? undefined : { bool: { filter } }
}

/** Like `all`, but matches everything when there is no condition. */
export const every = (clauses: readonly Clause[]): Query => all(clauses) ?? { match_all: {} }

/** At least one clause must hold; undefined when there is none. */
export function some(clauses: readonly Clause[]): Clause {
  const should = present(clauses)
  if (should.length <= 1) return should[0]
  return { bool: { should, minimum_should_match: 1 } }
}

/** None of the clauses may hold. */
export function none(clauses: readonly Clause[]): Clause {
  const mustNot = present(clauses)
  return mustNot.length === 0 ? undefined : { bool: { must_not: mustNot } }
}
