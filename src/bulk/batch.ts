import { hash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { CatalogScope } from '../catalogs/store.ts'
import { hashedId, type Stored } from '../elastic/collection.ts'
import { Invalid } from '../errors.ts'
import type { WriterRun } from '../imports/writing/sender.ts'
import { createBulkWriter } from '../imports/writing/writer.ts'
import type { Context } from '../operation.ts'
import { abortCheck } from '../platform/deadline.ts'
import { storedEntries, storePendingEntries } from '../products/change-log.ts'
import type { ProductDocument } from '../products/product.ts'
import { refreshSoon } from '../products/refresh-soon.ts'
import { hasRoom } from '../products/requested-change.ts'
import { applyOperations, type OperationOutcome } from './apply-operations.ts'
import type { BatchAttempt } from './idempotency.ts'
import { linesByProduct, type ProductLines, productLines } from './planned-lines.ts'
import { type PlannedOperation, planOperation } from './planned-operation.ts'
import type { BatchOperation, BatchRequest } from './schemas.ts'
import { batchEnd, writeProducts } from './write-products.ts'

/** The operations of a batch about one product. */
type ProductOperations = ProductLines<PlannedOperation>

/** The outcome of an operation, and the id of its product if it is known. */
export interface DoneOperation {
  readonly id: string | null
  readonly outcome: OperationOutcome
}

type Read = Stored<ProductDocument> | undefined

/** Lets a request write products until its deadline. */
export const requestRun = (ctx: Context): WriterRun => ({
  ctx,
  isCancelled: abortCheck(ctx.signal),
  assertLease: () => ctx.signal.throwIfAborted(),
})

/**
 * Carries out a batch and returns one outcome per operation. Throws errors that end the whole
 * request.
 */
export async function writeBatch(
  ctx: Context,
  scope: CatalogScope,
  { operations }: BatchRequest,
  attempt: BatchAttempt,
): Promise<DoneOperation[]> {
  const end = batchEnd()
  const all = operations.map((): DoneOperation => ({ id: null, outcome: 'unchanged' }))
  const groups = await linesByProduct(ctx, scope, {
    lines: operations,
    isOpen: attempt.isOpen,
    plan: (given: BatchOperation, index) => plan(given, attempt, index),
    refuse: (index, why) => {
      all[index] = { id: null, outcome: why }
    },
  })
  await carryOut(ctx, scope, { groups, attempt, end }, ({ index }, done) => {
    all[index] = done
  })
  return all
}

function plan(given: BatchOperation, { id, began }: BatchAttempt, index: number): PlannedOperation {
  const random = hash('sha256', `${id} ${index}`, 'buffer')
  return planOperation(given, {
    index,
    entryId: uuidv7({ msecs: began.getTime(), random }),
    newId: () => hashedId([id, String(index)]),
  })
}

interface BatchWriting {
  readonly groups: readonly ProductOperations[]
  readonly attempt: BatchAttempt
  readonly end: number
}

async function carryOut(
  ctx: Context,
  scope: CatalogScope,
  { groups, attempt: { began, isRepeated, isRemembered }, end }: BatchWriting,
  note: (operation: PlannedOperation, done: DoneOperation) => void,
): Promise<void> {
  const { caller, organization, signal } = ctx
  const done = new Map<string, number>()
  const writer = createBulkWriter<ProductOperations, OperationOutcome>(requestRun(ctx), {
    scope,
    expectNew:
      !isRemembered &&
      groups.every(({ lines, size }) => lines[0]!.action === 'create' && size === 1),
    apply: ({ id, lines }, existing, now) =>
      applyOperations(id, existing, lines, {
        catalog: scope.name,
        organization: organization.id,
        actor: caller.username,
        began,
        isRepeated,
        isRemembered,
        done,
        now,
      }),
    async prepare(asked, read, again) {
      // A concurrent retry may already have applied the operations of this attempt.
      if (again || isRemembered) await noteDone(asked, read)
      return withRoom(read)
    },
    refused: ({ lines }, reason) => lines.map(() => new Invalid(`product: ${reason}`)),
  })

  /**
   * Finds what was done to these products by another attempt, or by a write whose answer was lost.
   */
  async function noteDone(asked: readonly ProductOperations[], read: readonly Read[]) {
    const own = new Set(asked.flatMap(({ lines }) => lines.map(({ entryId }) => entryId)))
    for (const one of read) {
      for (const { id, version } of one?.source.pending ?? []) {
        if (own.delete(id)) done.set(id, version)
      }
    }
    const stored = await storedEntries(ctx, { owner: scope.owner, ids: [...own] }, signal)
    for (const { id, version } of stored) done.set(id, version)
  }

  /** Stores the waiting log entries of products that have no room for more. */
  async function withRoom(read: readonly Read[]): Promise<Read[]> {
    const full = read.filter((one) => one !== undefined && !hasRoom(one.source))
    const documents = full.map((one) => one!.source)
    if (full.length > 0) {
      await storePendingEntries(ctx, scope.owner, documents, { refresh: true, signal })
    }
    return read.map((one) =>
      one && full.includes(one) ? { ...one, source: { ...one.source, pending: [] } } : one,
    )
  }

  let isBegun = false
  try {
    for (let open = groups; open.length > 0; ) {
      const outcomes = await writeProducts(writer, open, { end, ctx, isBegun })
      isBegun = true
      open = [...outcomes].flatMap(([{ id, lines }, list]) => {
        for (const [at, outcome] of list.entries()) note(lines[at]!, { id, outcome })
        return list.length < lines.length ? [productLines(id, lines.slice(list.length))] : []
      })
    }
  } finally {
    refreshSoon(ctx, scope)
    ctx.background.run('store the change log', () => writer.settled())
  }
}
