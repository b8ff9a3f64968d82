import type { CatalogScope } from '../catalogs/store.ts'
import { Failure, Invalid, STATUS } from '../errors.ts'
import { BadRow } from '../formats/rows/mapped-row.ts'
import { pointsOfImport } from '../imports/writing/insights.ts'
import { stampAt } from '../imports/writing/row-writer.ts'
import { createBulkWriter } from '../imports/writing/writer.ts'
import type { Context } from '../operation.ts'
import { refreshSoon } from '../products/refresh-soon.ts'
import { applyOffers, type OfferOutcome, type PlannedOffer } from './apply-offers.ts'
import { requestRun } from './batch.ts'
import type { BatchAttempt } from './idempotency.ts'
import { offersAnswer } from './merge-attempts.ts'
import type { OfferLine, OffersRequest, OffersResponse } from './offer-schemas.ts'
import { linesByProduct, type ProductLines } from './planned-lines.ts'
import { namingKeys, rowNamed } from './planned-operation.ts'
import { batchEnd, writeProducts } from './write-products.ts'

/** Writes offers of existing products, like an import that only updates offers. */
export async function writeOffers(
  ctx: Context,
  scope: CatalogScope,
  { offers, vendorName }: OffersRequest,
  { id: request, isRemembered, isOpen }: BatchAttempt,
): Promise<OffersResponse> {
  const end = batchEnd()
  const outcomes = offers.map((): OfferOutcome => 'unchanged')
  const groups = await linesByProduct(ctx, scope, {
    lines: offers,
    isOpen,
    plan: (line: OfferLine, index): PlannedOffer => plan(line, index, vendorName),
    refuse: (index, why) => {
      outcomes[index] = why
    },
  })
  const writer = createBulkWriter<ProductLines<PlannedOffer>, OfferOutcome>(requestRun(ctx), {
    scope,
    expectNew: false,
    apply: (group, existing, now) =>
      applyOffers(group, existing, {
        catalog: scope.name,
        organization: ctx.organization.id,
        stamp: stampAt(now, { actor: ctx.caller.username, source: 'api' }),
        request: isRemembered ? request : undefined,
        now,
      }),
    points: (before, after) => pointsOfImport({ requestId: request }, before, after),
    refused: ({ lines }, reason) => lines.map(() => new Invalid(reason)),
  })
  for (const [{ lines }, done] of await writeProducts(writer, groups, { end, ctx })) {
    for (const [at, outcome] of done.entries()) outcomes[lines[at]!.index] = outcome
  }
  refreshSoon(ctx, scope)
  return answerOf(outcomes)
}

function plan(line: OfferLine, index: number, usual: string | null): PlannedOffer {
  const { id, manufacturer, manufacturerPartNumber, upc, ...given } = line
  const { vendorPartNumber = null, vendorName: own, ...values } = given
  const vendorName = own ?? usual
  if (vendorName === null) throw new Invalid('vendorName: required')
  const others = id ?? manufacturer ?? manufacturerPartNumber ?? upc
  const isByVendor = vendorPartNumber !== null && others === null
  const byVendor = isByVendor ? { vendorName, vendorPartNumber } : NO_VENDOR
  const row = rowNamed({ id, manufacturer, manufacturerPartNumber, upc, ...byVendor })
  const keys = namingKeys(row, NAMELESS)
  const said = Object.entries({ ...values, vendorPartNumber: given.vendorPartNumber })
  const offer = Object.fromEntries(said.filter(([, value]) => value !== undefined))
  const written = { ...row, offers: [{ vendorName, vendorPartNumber }] }
  return { index, keys, row, written, offer: { ...offer, vendorName } }
}

const NO_VENDOR = { vendorName: null, vendorPartNumber: null }
const NAMELESS =
  'id: required, or vendorPartNumber, or manufacturer with manufacturerPartNumber, or upc'

function answerOf(outcomes: readonly OfferOutcome[]): OffersResponse {
  const rejects = outcomes.flatMap((outcome, index) => {
    if (outcome instanceof Failure) {
      return [{ index, status: STATUS[outcome.code], message: outcome.message }]
    }
    if (outcome instanceof BadRow) {
      return [{ index, status: STATUS.invalid, message: outcome.message }]
    }
    return []
  })
  const updated = outcomes.filter((outcome) => outcome === 'updated').length
  return offersAnswer({ offers: outcomes.length, updated, rejects })
}
