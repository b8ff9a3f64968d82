import { Invalid } from '../../errors.ts'
import { type Column, NAMED_FIELDS, PRODUCT_FIELDS, targetName, VENDOR_FIELDS } from './fields.ts'
import { byName, SURE, suggest } from './suggest.ts'
import { targetOf } from './target.ts'

/** ImportExtensionMapping (interface: Extension shapes). */
export interface Mapping {
  readonly column: number
  readonly field: string
  readonly attribute: string | null
}

/** It would change the object that holds the names. */
const FORBIDDEN = '__proto__'

const KNOWN = [
  ...Object.keys(PRODUCT_FIELDS),
  ...Object.keys(VENDOR_FIELDS).map((name) => `vendor.${name}`),
  ...Object.keys(NAMED_FIELDS),
].join(', ')

/** Checks the mappings of a request. Throws Invalid with the place. */
export function columnsOf(mappings: readonly Mapping[]): Column[] {
  const seen = new Set<string>()
  return mappings.map(({ column, field, attribute }, index) => {
    const target = targetOf(field, attribute)
    if (!target) throw new Invalid(`mappings[${index}].field: one of ${KNOWN}`)
    if ('name' in target && target.name === '') {
      throw new Invalid(`mappings[${index}].attribute: required, the name of the ${field}`)
    }
    if ('name' in target && target.name === FORBIDDEN) {
      throw new Invalid(`mappings[${index}].attribute: ${FORBIDDEN} is not allowed as a name`)
    }
    const name = targetName(target)
    if (seen.has(name)) throw new Invalid(`mappings[${index}].field: ${name} is mapped twice`)
    seen.add(name)
    return { index: column, target }
  })
}

/** What the columns of a header row fill, and what nothing is known about. */
export interface MatchedHeader {
  readonly columns: readonly Column[]
  /** Headings that no field is known for. */
  readonly unknown: readonly string[]
  /** Headings of a field that an earlier column fills already. */
  readonly repeated: readonly string[]
}

/** Matches a header row: a field goes to the first column that is called after it. Pure. */
export function matchHeader(
  headings: readonly string[],
  rows: readonly (readonly string[])[] = [],
): MatchedHeader {
  const sure = suggest(headings, rows).filter(({ confidence }) => confidence >= SURE)
  const used = new Set(sure.map(({ index }) => index))
  const others = headings
    .map((text, index) => ({ text: text.trim(), index }))
    .filter(({ text, index }) => text !== '' && !used.has(index))
  return {
    columns: sure.map(({ index, target }) => ({ index, target })),
    unknown: others.filter(({ text }) => !byName(text)).map(({ text }) => text),
    repeated: others.filter(({ text }) => byName(text)).map(({ text }) => text),
  }
}
