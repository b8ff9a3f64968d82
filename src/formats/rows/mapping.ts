import { Invalid } from '../../errors.ts'
import type { Problem } from '../../extensions/contract.ts'
import type { Mapping } from '../../extensions/mapping.ts'
import {
  type FieldTarget,
  fieldOf,
  IMPORTED_OFFER_FIELDS,
  IMPORTED_PRODUCT_FIELDS,
  type MappedColumn,
  NAMED_FIELDS,
  nameProblem,
  targetName,
  targetOf,
} from './fields.ts'

const KNOWN = [
  ...Object.keys(IMPORTED_PRODUCT_FIELDS),
  ...Object.keys(IMPORTED_OFFER_FIELDS).map((name) => `vendor.${name}`),
  ...Object.keys(NAMED_FIELDS),
].join(', ')

/** The columns in mappings, and their problems. */
export function checkedColumns(mappings: readonly Mapping[]) {
  const columns: MappedColumn[] = []
  const problems: Problem[] = []
  const seen = new Set<string>()
  for (const [index, mapping] of mappings.entries()) {
    const target = targetOf(mapping.field, mapping.attribute)
    const problem = problemOf(mapping, target, seen)
    if (target) seen.add(targetName(target))
    if (problem) {
      const field = `mappings[${index}].${problem.at}`
      problems.push({ field, message: problem.message })
    } else columns.push({ index: mapping.column, target: target! })
  }
  return { columns, problems }
}

function problemOf({ field }: Mapping, target: FieldTarget | undefined, seen: ReadonlySet<string>) {
  if (!target) return { at: 'field', message: `must be one of ${KNOWN}` }
  if ('name' in target && target.name === '') {
    return { at: 'attribute', message: `required; send the name of the ${field}` }
  }
  const wrong = 'name' in target ? nameProblem(target.name) : undefined
  if (wrong) return { at: 'attribute', message: wrong }
  const name = targetName(target)
  // Lists are combined.
  return seen.has(name) && fieldOf(target).kind !== 'list'
    ? { at: 'field', message: `${name} is mapped twice` }
    : undefined
}

/** Checks the mappings of a request. Throws Invalid with the place. */
export function columnsOf(mappings: readonly Mapping[]): MappedColumn[] {
  const { columns, problems } = checkedColumns(mappings)
  const [first] = problems
  if (first) throw new Invalid(`${first.field}: ${first.message}`)
  return columns
}

/** A row needs all fields of one of these identities. */
const IDENTITIES = [
  ['id'],
  ['manufacturer', 'manufacturerPartNumber'],
  ['vendor.vendorName', 'vendor.vendorPartNumber'],
  ['upcs'],
]

/** Throws Invalid if rows with these columns cannot identify a product. */
export function checkIdentity(columns: readonly MappedColumn[], vendor: string | null): void {
  const mapped = new Set(columns.map(({ target }) => targetName(target)))
  if (vendor !== null) mapped.add('vendor.vendorName')
  if (IDENTITIES.some((fields) => fields.every((field) => mapped.has(field)))) return
  throw new Invalid(
    'mappings: no column identifies the product; map id, or manufacturer and manufacturerPartNumber, or vendor.vendorName and vendor.vendorPartNumber, or upcs',
  )
}
