import { anyOf, constant } from '../../elastic/clauses.ts'
import type { Query, SearchBody } from '../../elastic/search.ts'
import { type Language, textField } from '../../languages/language.ts'
import { limits } from '../../limits.ts'
import type { Identifier } from './identifiers.ts'
import type { AskedLine } from './line.ts'
import type { Makers } from './makers.ts'
import { JUDGED } from './product.ts'

/** Maximum number of identifier forms in the query of a line. */
const MOST_FORMS = 80

const formsOf = (identifiers: readonly Identifier[]): string[] =>
  [...new Set(identifiers.flatMap(({ forms }) => forms))].slice(0, MOST_FORMS)

function byForms(identifiers: readonly Identifier[], boost: number): Query[] {
  const forms = anyOf('search.partNumbers', formsOf(identifiers))
  return forms ? [constant(forms, boost)] : []
}

function byMaker({ maker }: AskedLine, makers: Makers, boost: number): Query[] {
  const spellings = anyOf('search.manufacturer', maker?.forms.flatMap(makers.spellings) ?? [])
  return spellings ? [constant(spellings, boost)] : []
}

/**
 * Finds products that have a number of the line, stated numbers first; undefined without numbers.
 */
export function identifierBody(line: AskedLine, makers: Makers): SearchBody | undefined {
  const byStated = Map.groupBy(line.identifiers, ({ stated }) => stated)
  const queries = [
    ...byForms(byStated.get(true) ?? [], 10),
    ...byForms(byStated.get(false) ?? [], 1),
  ]
  if (queries.length === 0) return undefined
  return {
    size: limits.recommendationMatches,
    track_total_hits: false,
    _source: [...JUDGED],
    query: { bool: { must: [{ dis_max: { queries } }], should: byMaker(line, makers, 5) } },
    sort: ['_score', { 'search.id': 'asc' }],
  }
}

/** Number of products found by words that are compared in detail. */
const LOOKED_AT = 10

/** Finds products by the words of a line; undefined without words. */
export function wordsBody(
  line: AskedLine,
  makers: Makers,
  language: Language,
): SearchBody | undefined {
  const field = (text: 'name' | 'text' | 'description') => textField(language, text)
  const query = line.words.map(({ text }) => text).join(' ')
  if (query === '') return undefined
  return {
    size: LOOKED_AT,
    track_total_hits: false,
    _source: [...JUDGED],
    query: {
      bool: {
        must: [
          {
            combined_fields: {
              query,
              fields: [`${field('name')}^3`, field('text'), field('description')],
              minimum_should_match: '2<60%',
            },
          },
        ],
        should: byMaker(line, makers, 5),
      },
    },
  }
}
