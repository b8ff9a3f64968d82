import { anyOf, some, term } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'
import type { Condition } from '../operation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { partNumberForms, token } from '../text.ts'
import { valueTerm } from './search-fields.ts'

/** The organization in effect and the caller, whose annotations are matched. */
export interface Annotators {
  readonly organization: string
  readonly username: string
}

/** The clause of a condition on product fields: one value matches. Throws for type `keyword`. */
export function plainClause(condition: Condition, annotators: Annotators): Query {
  const { type, name, values } = condition
  const { organization, username } = annotators
  const tokens = (...parts: readonly string[]) => values.map((value) => token(...parts, value))
  const terms = (...parts: readonly string[]) => values.map((value) => valueTerm(...parts, value))
  switch (type) {
    case 'manufacturer':
    case 'segment':
    case 'category':
    case 'subCategory':
      return anyOf(`search.${type}`, values)!
    case 'categoryPath':
      return anyOf('search.categoryPaths', values)!
    case 'vendor':
      return anyOf('search.vendors', terms())!
    case 'attribute':
      return anyOf('search.attributes', terms(name!))!
    case 'facet':
      return anyOf('search.facets', terms(name!))!
    case 'groupId':
      return anyOf('search.groupId', values)!
    case 'extensionField':
      return anyOf('search.fields', tokens(organization, name!))!
    case 'tag':
      return some([
        anyOf('search.tags', tokens(organization)),
        anyOf('search.userTags', tokens(organization, username)),
      ])!
    case 'favorite':
      return anyOf(
        'search.favorites',
        values.map((value) => favoriteToken(value, annotators)),
      )!
    case 'partNumber':
      return anyOf('search.partNumbers', partNumbersOf(condition))!
    case 'unspsc':
      return some(values.map(unspscClause))!
    case 'keyword':
      throw new Error('a keyword criterion cannot be matched against a field')
  }
}

/** Once for a condition, since the filter of a key has a part in each search of a batch. */
const partNumbersOf = memoizeWeak(({ values }: Condition) => values.flatMap(partNumberForms).sort())

export const favoriteToken = (value: string, { organization, username }: Annotators): string =>
  value === 'user' ? token(organization, 'user', username) : token(organization, 'company')

/** Pairs of zeros at the end of a code match everything below it. */
function unspscClause(code: string): Query {
  let end = code.length
  if (/^(?:\d\d)+$/.test(code)) while (end > 2 && code.endsWith('00', end)) end -= 2
  const stem = code.slice(0, end)
  return stem === code ? term('search.unspsc', code) : { prefix: { 'search.unspsc': stem } }
}
