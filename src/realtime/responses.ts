import { identityOf } from '../extensions/product-identity.ts'
import { mapSteps, type Steps } from '../platform/steps.ts'
import type { CatalogProduct } from '../products/references.ts'
import type { VendorAnswer } from './ask-vendors.ts'
import type { OfferItem } from './check-item.ts'
import { onHandOf } from './offer.ts'
import type { RealtimeAllAnswer, RealtimeAnswer } from './schemas.ts'

type ShownAnswer = Omit<VendorAnswer, 'stored'>

/** A product that a request names. */
export interface NamedProduct {
  readonly catalog: string
  readonly id: string
  /** Undefined when the caller sees no such product. */
  readonly asked: CatalogProduct | undefined
}

/** A vendor's answer about a product, or why there is none, in one shape. */
const shown = ({ vendor, asked, result: { item, error }, time }: ShownAnswer) => ({
  ...shownItem(item, error, identityOf(asked.product, vendor.name)),
  ...(time ? { checkedAt: time.toISOString() } : {}),
})

const shownItem = (
  item: OfferItem | null,
  error: string | null,
  numbers: Pick<OfferItem, 'vendorPartNumber' | 'manufacturerPartNumber'>,
) => ({
  vendorPartNumber: item?.vendorPartNumber ?? numbers.vendorPartNumber,
  manufacturerPartNumber: item?.manufacturerPartNumber ?? numbers.manufacturerPartNumber,
  description: item?.description ?? null,
  error,
  // Only the vendor itself can take a product off its range.
  active: item?.active ?? true,
  onHand: item ? onHandOf(item) : null,
  cost: item?.cost ?? null,
  inStockDate: item?.inStockDate ?? null,
  warehouses: item?.warehouses ?? [],
})

const noNumbers = { vendorPartNumber: null, manufacturerPartNumber: null }

/** Groups answers by product. */
const answersByProduct = (answers: readonly ShownAnswer[]) =>
  Map.groupBy<CatalogProduct | undefined, ShownAnswer>(answers, ({ asked }) => asked)

/** The answer about all vendors: those who were asked about a product, in one order. */
export function* allVendorsAnswer(
  products: readonly NamedProduct[],
  answers: readonly ShownAnswer[],
): Steps<RealtimeAllAnswer> {
  const byProduct = answersByProduct(answers)
  const items = yield* mapSteps(products, ({ id, catalog, asked }) => ({
    id,
    catalog,
    vendors: (byProduct.get(asked) ?? []).map((one) => ({
      vendorName: one.vendor.name,
      ...shown(one),
    })),
  }))
  return { items }
}

/** The answer about one vendor. It fails as a whole when no product was answered. */
export function oneVendorAnswer(
  products: readonly NamedProduct[],
  answers: readonly ShownAnswer[],
): RealtimeAnswer {
  const byProduct = answersByProduct(answers)
  const items = products.map(({ id, catalog, asked }) => {
    const said = byProduct.get(asked)?.[0]
    if (said) return { id, catalog, ...shown(said), status: said.result.item?.status ?? null }
    const error = asked ? 'The extension is not installed for this catalog.' : 'Product not found.'
    return { id, catalog, ...shownItem(null, error, noNumbers), status: null }
  })
  // A vendor that answered about no product has failed, for the same reason for each product.
  const failed = answers.length > 0 && answers.every(({ time }) => time === null)
  return { success: !failed, error: failed ? answers[0]!.result.error : null, items }
}
