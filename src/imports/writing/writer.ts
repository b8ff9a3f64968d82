import { setImmediate as breathe } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { CatalogScope } from '../../catalogs/store.ts'
import type { Stored } from '../../elastic/collection.ts'
import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Context } from '../../operation.ts'
import { productsOf } from '../../products/documents.ts'
import { checkSize } from '../../products/patch.ts'
import type { ProductDocument } from '../../products/product.ts'
import { indexedDocument } from '../../products/store.ts'
import type { RowChange } from '../rows/change.ts'
import { BadRow } from '../rows/csv-row.ts'
import { type ApplyOptions, applyRows, type RowOutcome } from './apply.ts'
import { createFoundAgain } from './found-again.ts'
import { createLogSettler } from './log.ts'
import { createPatience, patiently } from './patience.ts'
import { createSender, type Draft } from './sender.ts'

/** The rows of one product, in the order of the file. */
export interface Group {
  readonly id: string
  readonly rows: readonly RowChange[]
}

/** Writes the products of a batch; several batches at once, none with a product of another. */
export interface BatchWriter {
  /** When the products written from now on are dated; later than those of any batch before. */
  nextTime(): Date
  /** What became of each group's rows. Throws Interrupted when told to give way. */
  write(groups: readonly Group[], now: Date): Promise<Map<Group, readonly RowOutcome[]>>
  /** Resolves when the change log holds what was written. */
  settled(): Promise<void>
}

export interface WriterOptions extends Pick<ApplyOptions, 'createProducts' | 'updateMetadata'> {
  readonly ctx: Context
  readonly scope: CatalogScope
  /** Nothing is known to exist: try to create before looking. */
  readonly expectNew: boolean
  readonly isCancelled: () => boolean
  /** Products dated after this and before now were written by a batch whose report was lost. */
  readonly lostAfter: string | null
}

const READ_MS = 30_000
/** Documents built in one go; longer would keep other requests waiting. */
const SLICE = 50
/** Share of creations that may meet an existing product before looking first pays. */
const WASTED = 0.1

interface Open {
  readonly group: Group
  readonly existing: Stored<ProductDocument> | undefined
}

export function createBatchWriter(options: WriterOptions): BatchWriter {
  const { ctx, scope, isCancelled } = options
  const products = productsOf(ctx, scope)
  const send = createSender({ ctx, scope, products, isCancelled })
  const log = createLogSettler(ctx, scope)
  const actor = ctx.caller.username
  const foundAgain = createFoundAgain(options)
  let createFirst = options.expectNew && options.createProducts
  let lastTime = 0

  async function read(groups: readonly Group[]): Promise<Open[]> {
    const ids = groups.map(({ id }) => id)
    const found = await patiently(isCancelled, () =>
      products.getMany(ids, { timeoutMs: READ_MS, signal: ctx.signal }),
    )
    return groups.map((group, at) => ({ group, existing: found[at] }))
  }

  function draft({ group, existing }: Open, now: Date): Draft<Group> {
    const entryId = existing ? uuidv7({ msecs: now.getTime() }) : ''
    const { document, outcomes } = applyRows(group.id, existing?.source, group.rows, {
      ...options,
      catalog: scope.name,
      stamp: { entryId, actor, source: 'import' },
      now,
    })
    if (!document) {
      return {
        group,
        existing,
        document,
        outcomes: foundAgain(existing?.source, outcomes),
        line: '',
      }
    }
    const line = JSON.stringify(indexedDocument(scope, document))
    const problem = line.length > limits.productBytes / 3 ? tooLarge(document) : undefined
    if (!problem) return { group, existing, document, outcomes, line }
    return { group, existing, document: undefined, outcomes: group.rows.map(() => problem), line }
  }

  async function drafts(open: readonly Open[], now: Date): Promise<Draft<Group>[]> {
    const made: Draft<Group>[] = []
    for (const [at, one] of open.entries()) {
      made.push(draft(one, now))
      if (at % SLICE === SLICE - 1) await breathe()
    }
    return made
  }

  return {
    nextTime() {
      lastTime = Math.max(ctx.clock.now().getTime(), lastTime + 1)
      return new Date(lastTime)
    },
    async write(groups, now) {
      const outcomes = new Map<Group, readonly RowOutcome[]>()
      const patience = createPatience(isCancelled)
      let open: Open[] = createFirst
        ? groups.map((group) => ({ group, existing: undefined }))
        : await read(groups)
      for (let round = 0; ; round++) {
        const made = await drafts(open, now)
        const { written, stale, refused } = await send(made.filter(({ document }) => document))
        for (const { group, outcomes: known } of made) outcomes.set(group, known)
        for (const { group } of refused) {
          outcomes.set(
            group,
            group.rows.map(() => new BadRow('the search engine refused the product')),
          )
        }
        log.settle(written)
        if (stale.length === 0) return outcomes
        if (stale.length > groups.length * WASTED) createFirst = false
        if (round > 0) await patience.wait()
        open = await read(stale.map(({ group }) => group))
      }
    },
    settled: () => log.settled(),
  }
}

function tooLarge({ product }: ProductDocument): BadRow | undefined {
  try {
    checkSize(product)
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return new BadRow(error.message.replace(/^body: /, ''))
    throw error
  }
}
