import { z } from 'zod'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { type Condition, CRITERION_TYPES, type CriterionType } from '../operation.ts'
import { Exact, ListOf, withDescriptionsOf } from '../shapes.ts'
import { normalisePartNumber } from '../text.ts'
import { shortValue } from './short-value.ts'

export const FilterCriteria = z
  .object({
    type: Exact(limits.nameLength).meta({
      enum: [...CRITERION_TYPES],
      description:
        'Type of the criterion. `attribute`, `facet` and `extensionField` require a `name`. `tag`, `extensionField` and `favorite` are rejected for keys of type `search`.',
    }),
    name: Exact(2 * limits.nameLength + 1).describe(
      'Name of the `facet` or `attribute`, or `extension/field` for an `extensionField`. Not needed for other types.',
    ),
    value: Exact(limits.valueLength).describe(
      'Exact value, as listed by Metadata. `favorite`: `user` or `company`; `unspsc`: a code (ending in 00 covers its class); `categoryPath`: `A > B`, including below; `partNumber`: any of its numbers; `groupId`: its variants; `keyword`: required words.',
    ),
  })
  .meta({ id: 'FilterCriteria' })
export type FilterCriteria = z.output<typeof FilterCriteria>

export const Criterias = ListOf(FilterCriteria, limits.criteria)

const text = z.string().nullable()

/** Criteria in answers, as they were given. */
export const ShownCriterias = z.array(
  z.object(withDescriptionsOf(FilterCriteria.shape, { type: text, name: text, value: text })),
)

/** Request fields that are shortcuts for criteria. */
export interface NamedFields {
  readonly manufacturer: readonly string[]
  readonly vendors: readonly string[]
  readonly segment: string | null
  readonly category: string | null
  readonly subCategory: string | null
}

/** The conditions in request fields, separate from criteria of the same type in `must`. */
export function fieldConditions(request: NamedFields): Condition[] {
  const { manufacturer, vendors, segment, category, subCategory } = request
  const one = (text: string | null) => (text === null ? [] : [text])
  return [
    condition('manufacturer', manufacturer),
    condition('vendor', vendors),
    condition('segment', one(segment)),
    condition('category', one(category)),
    condition('subCategory', one(subCategory)),
  ].filter(({ values }) => values.length > 0)
}

const condition = (
  type: CriterionType,
  values: readonly string[],
  name: string | null = null,
): Condition => ({ type, name, values: [...new Set(values)].sort() })

const OF_ANNOTATIONS: ReadonlySet<string> = new Set(['tag', 'extensionField', 'favorite'])

/** Whether criteria of a type match annotations, which belong to an organization. */
export const isOfAnnotations = (type: string | null): boolean =>
  type !== null && OF_ANNOTATIONS.has(type)

const NAMED: ReadonlySet<CriterionType> = new Set(['attribute', 'facet', 'extensionField'])

/** Groups criteria by type and name; those in a group are alternatives. Throws Invalid. */
export function conditionsOf(list: readonly FilterCriteria[], field: string): Condition[] {
  const all = list.map((criterion, index) => checked(criterion, `${field}[${index}]`))
  const groups = Map.groupBy(all, ({ type, name }) => JSON.stringify([type, name]))
  return [...groups.values()].map((group) => {
    const values = group.map(({ value }) => value)
    return condition(group[0]!.type, values, group[0]!.name)
  })
}

/** Total characters of conditions, in which each value counts with its name. */
export const lengthOf = (conditions: readonly Condition[]): number =>
  conditions
    .flatMap(({ name, values }) => values.map((value) => (name ?? '').length + value.length))
    .reduce((sum, length) => sum + length, 0)

/** Throws Invalid for long conditions, since requests to Elasticsearch repeat them many times. */
export function checkLength(length: number, field: string): void {
  if (length <= limits.criteriaLength) return
  throw new Invalid(
    `${field}: names and values of criteria have at most ${limits.criteriaLength} characters in total`,
  )
}

/** Whether a text has a letter or a digit. */
export const isWord = (text: string): boolean =>
  /[A-Za-z0-9]/.test(text) || normalisePartNumber(text) !== ''

function checked({ type, name, value }: FilterCriteria, path: string) {
  const known = CRITERION_TYPES.find((candidate) => candidate === type)
  if (known === undefined) {
    throw new Invalid(`${path}.type: expected one of ${CRITERION_TYPES.join(', ')}`)
  }
  if (value === null) throw new Invalid(`${path}.value: required`)
  if (!NAMED.has(known)) return { type: known, name: null, value: plain(known, value, path) }
  if (name === null) throw new Invalid(`${path}.name: required for type ${known}`)
  if (known === 'extensionField' && !name.includes('/')) {
    throw new Invalid(`${path}.name: expected extension/field`)
  }
  return { type: known, name, value: known === 'extensionField' ? value : shortValue(value) }
}

function plain(type: CriterionType, value: string, path: string): string {
  if (type === 'favorite' && value !== 'user' && value !== 'company') {
    throw new Invalid(`${path}.value: expected user or company`)
  }
  if ((type === 'keyword' || type === 'partNumber') && !isWord(value)) {
    throw new Invalid(`${path}.value: expected a letter or a digit`)
  }
  return value
}
