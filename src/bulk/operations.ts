import { writableList } from '../catalogs/price-lists/store.ts'
import { writableCatalog } from '../catalogs/store.ts'
import { Failure } from '../errors.ts'
import { limits } from '../limits.ts'
import { operation, route } from '../operation.ts'
import { PriceListPath } from '../price-lists/schemas.ts'
import { CatalogPath } from '../products/schemas.ts'
import { resultOf } from './apply-operations.ts'
import { type DoneOperation, writeBatch } from './batch.ts'
import { runIdempotently } from './idempotency.ts'
import { batchAnswer, batchAnswers, offersAnswers, pricesAnswers } from './merge-attempts.ts'
import { OffersRequest, OffersResponse } from './offer-schemas.ts'
import { writeOffers } from './offers.ts'
import { PricesRequest, PricesResponse } from './price-schemas.ts'
import { writePrices } from './prices.ts'
import { BatchRequest, BatchResponse } from './schemas.ts'
import { writeSelection } from './selection.ts'
import { DeleteRequest, SelectionResponse, UpdateRequest } from './selection-schemas.ts'

/** Only a request that queues a task is audited, not one that previews products. */
const AUDITED_SELECTION = {
  target: 'products',
  part: (noted: object, { sent }: { readonly sent?: unknown }) => ({
    ...noted,
    search: (sent as { search?: unknown } | undefined)?.search,
  }),
  happened: ({ taskId }: SelectionResponse) => taskId !== null,
  values: ['taskId', 'products', 'search'],
} as const

/** What Write Products, Write Offers and Write Prices have in common. */
const WRITING = {
  cost: 4,
  ms: limits.batchMs,
  idempotent: true,
  fails: ['conflict'],
} as const

export const bulkOperations = [
  operation({
    name: 'Write Products',
    summary: `Creates, updates and deletes up to ${limits.batchOperations} products. Each operation behaves like its single-product counterpart and has its own result.`,
    access: 'editor',
    ...WRITING,
    bindings: {
      '6.0': route('POST', '/api/Catalog/:catalog/products/batch', {
        param: CatalogPath,
        body: BatchRequest,
        answer: BatchResponse,
      }),
    },
    handle: async ({ catalog, body, sent, idempotencyKey }, ctx) => {
      const scope = await writableCatalog(ctx, catalog)
      const request = ['Write Products', scope.owner, scope.name, scope.created, sent]
      return runIdempotently(
        ctx,
        { key: idempotencyKey, request, ...batchAnswers },
        async (attempt) => answerOf(await writeBatch(ctx, scope, body, attempt)),
      )
    },
  }),
  operation({
    name: 'Write Offers',
    summary: `Sets prices and stock of up to ${limits.offerLines} offers of existing products, and changes nothing else.`,
    access: 'editor',
    ...WRITING,
    bindings: {
      '6.0': route('POST', '/api/Catalog/:catalog/offers', {
        param: CatalogPath,
        body: OffersRequest,
        answer: OffersResponse,
      }),
    },
    handle: async ({ catalog, body, sent, idempotencyKey }, ctx) => {
      const scope = await writableCatalog(ctx, catalog)
      const request = ['Write Offers', scope.owner, scope.name, scope.created, sent]
      return runIdempotently(ctx, { key: idempotencyKey, request, ...offersAnswers }, (attempt) =>
        writeOffers(ctx, scope, body, attempt),
      )
    },
  }),
  operation({
    name: 'Write Prices',
    summary: `Sets up to ${limits.priceLines} prices in a price list and returns a result for each line.`,
    access: 'editor',
    ...WRITING,
    bindings: {
      '6.0': route('POST', '/api/Catalog/:catalog/priceLists/:priceList/prices', {
        param: PriceListPath,
        body: PricesRequest,
        answer: PricesResponse,
      }),
    },
    handle: async ({ catalog, priceList, body, sent, idempotencyKey }, ctx) => {
      const { scope, list } = await writableList(ctx, catalog, priceList)
      const request = ['Write Prices', scope.owner, scope.name, list.id, sent]
      return runIdempotently(ctx, { key: idempotencyKey, request, ...pricesAnswers }, (attempt) =>
        writePrices(ctx, scope, list, { ...body, attempt }),
      )
    },
  }),
  operation({
    name: 'Delete Products',
    summary:
      'Previews which products a search finds, or queues their deletion when called with the token of the preview.',
    access: 'editor',
    cost: 8,
    fails: ['conflict'],
    audit: AUDITED_SELECTION,
    bindings: {
      '6.0': route('POST', '/api/Catalog/:catalog/products/delete', {
        param: CatalogPath,
        body: DeleteRequest,
        answer: SelectionResponse,
      }),
    },
    handle: async ({ catalog, body }, ctx) => {
      const scope = await writableCatalog(ctx, catalog)
      return writeSelection(ctx, scope, { action: 'delete', patch: {}, ...body })
    },
  }),
  operation({
    name: 'Update Products',
    summary:
      'Previews which products a search finds, or queues a change to them when called with the token of the preview.',
    access: 'editor',
    cost: 8,
    fails: ['conflict'],
    audit: AUDITED_SELECTION,
    bindings: {
      '6.0': route('POST', '/api/Catalog/:catalog/products/update', {
        param: CatalogPath,
        body: UpdateRequest,
        answer: SelectionResponse,
      }),
    },
    handle: async ({ catalog, body: { product: patch, ...body } }, ctx) => {
      const scope = await writableCatalog(ctx, catalog)
      return writeSelection(ctx, scope, { action: 'update', patch, ...body })
    },
  }),
]

function answerOf(all: readonly DoneOperation[]): BatchResponse {
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 }
  for (const { outcome } of all) {
    if (outcome instanceof Failure) counts.failed++
    else counts[outcome === 'gone' ? 'deleted' : outcome]++
  }
  return batchAnswer({ ...counts, results: all.map(({ id, outcome }) => resultOf(id, outcome)) })
}
