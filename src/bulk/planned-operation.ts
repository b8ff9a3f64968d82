import { Invalid } from '../errors.ts'
import type { RowChange } from '../formats/rows/row-change.ts'
import { keysOfRow, leadingKeys, type RowKey } from '../imports/writing/row-keys.ts'
import { defined } from '../platform/defined.ts'
import type { ProductPatch } from '../products/patch.ts'
import type { PlannedLine } from './planned-lines.ts'
import type { BatchOperation, ProductName } from './schemas.ts'

/** A parsed operation of a batch. */
export interface PlannedOperation extends PlannedLine, Pick<BatchOperation, 'action' | 'ifMatch'> {
  /** Id of its log entry, by which a repetition recognizes that it is done. */
  readonly entryId: string
  readonly patch: ProductPatch
}

const WAYS = [
  ['id'],
  ['manufacturer', 'manufacturerPartNumber'],
  ['vendorName', 'vendorPartNumber'],
  ['upc'],
] as const satisfies readonly (readonly (keyof ProductName)[])[]

/** Checks that a product is named in at most one way, and completely. Throws Invalid. */
function checkName(name: ProductName): void {
  const used = WAYS.filter((fields) => fields.some((field) => name[field] !== null))
  if (used.length > 1) {
    throw new Invalid(
      `${used[1]![0]}: cannot be combined with ${used[0]![0]}; name the product in one way`,
    )
  }
  const missing = used[0]?.find((field) => name[field] === null)
  const given = used[0]?.find((field) => name[field] !== null)
  if (missing) throw new Invalid(`${missing}: required with ${given}`)
}

/** The equivalent row of an import. Throws Invalid. */
export function rowNamed(name: ProductName): RowChange {
  checkName(name)
  const { id, manufacturer, manufacturerPartNumber, vendorName, vendorPartNumber, upc } = name
  return {
    id,
    patch: { manufacturer, manufacturerPartNumber, ...(upc === null ? {} : { upcs: [upc] }) },
    offers: vendorName === null ? [] : [{ vendorName, vendorPartNumber }],
  }
}

/** The keys that name the product of a row without an id. Throws Invalid if it has none. */
export function namingKeys(row: RowChange, nameless: string): readonly RowKey[] {
  if (row.id !== null) return []
  const keys = leadingKeys(keysOfRow(row))
  if (keys.length === 0) throw new Invalid(nameless)
  return keys
}

const hasKeys = ({ patch, offers }: RowChange): boolean =>
  leadingKeys(keysOfRow({ id: null, patch, offers })).length > 0

interface Planning {
  readonly index: number
  readonly entryId: string
  /** An id for a product that is created without one. */
  newId(): string
}

/** Parses an operation. Throws Invalid. */
export function planOperation(given: BatchOperation, planning: Planning): PlannedOperation {
  const { action, ifMatch, product } = given
  const { newId, ...place } = planning
  if (action === 'delete' && product)
    throw new Invalid('product: must be omitted when action is delete')
  if (action !== 'delete' && !product) throw new Invalid('product: required')
  if (action === 'create' && ifMatch !== undefined)
    throw new Invalid('ifMatch: must be omitted when action is create')
  const { id: own = null, ...patch } = product ?? {}
  const id = given.id ?? own
  if (own !== null && own !== id) throw new Invalid('id: differs from the id in product')
  if (id === '.' || id === '..') throw new Invalid('id: must not be . or ..')
  const named = rowNamed({ ...given, id })
  if (action === 'create') {
    if (hasKeys(named))
      throw new Invalid('product: must contain the part numbers of the new product')
    return {
      ...place,
      action,
      ifMatch,
      patch,
      keys: [],
      row: { ...rowOf(patch), id: id ?? newId() },
    }
  }
  const row = id !== null || hasKeys(named) ? named : rowOf(patch)
  const keys = namingKeys(row, NAMELESS)
  const written = { ...row, ...numbersAfter(row, patch) }
  return { ...place, action, ifMatch, patch, keys, row, written }
}

/** The numbers of a product that `row` names, once the patch is applied. */
function numbersAfter(row: RowChange, { vendors, ...patch }: ProductPatch) {
  const numbers = defined(rowOf(patch).patch)
  return { patch: { ...row.patch, ...numbers }, offers: vendors ?? row.offers }
}

export const NAMELESS =
  'id: required, or manufacturer with manufacturerPartNumber, vendorName with vendorPartNumber, or upc'

const rowOf = ({ vendors = [], ...patch }: ProductPatch): RowChange => {
  const { manufacturer, manufacturerPartNumber, upcs } = patch
  return { id: null, patch: { manufacturer, manufacturerPartNumber, upcs }, offers: vendors }
}
