import { withoutEnd } from '../text.ts'
import { rounded, totalsOf } from '../workspaces/totals.ts'
import type { Snapshot, StoredItem } from '../workspaces/workspace.ts'
import { type CxmlElement, element, xmlDocument } from './xml.ts'

/** One line of an order, as the procurement system gets it. */
export interface OrderItem
  extends Pick<StoredItem, 'catalog' | 'productId' | 'quantity' | 'price'>,
    Omit<Snapshot, 'image' | 'vendorPartNumber'> {
  /** The vendor's part number, else the manufacturer's, else the product's id. */
  readonly supplierPartId: string
}

export const orderItem = ({
  catalog,
  productId,
  quantity,
  price,
  snapshot,
}: StoredItem): OrderItem => ({
  catalog,
  productId,
  supplierPartId: snapshot.vendorPartNumber ?? snapshot.manufacturerPartNumber ?? productId,
  vendor: snapshot.vendor,
  manufacturer: snapshot.manufacturer,
  manufacturerPartNumber: snapshot.manufacturerPartNumber,
  name: snapshot.name,
  unspsc: snapshot.unspsc,
  quantity,
  price,
})

export interface OrderMessage {
  readonly payloadId: string
  readonly time: string
  readonly supplier: string
  readonly buyer: string
  readonly buyerCookie: string
  readonly currency: string
  readonly items: readonly OrderItem[]
}

/** A number without an exponent, as procurement schemas require, with at least `least` decimals. */
export function decimal(value: number, least = 0): string {
  const [whole, fraction = ''] = rounded(value).toFixed(6).split('.')
  const kept = withoutEnd(fraction, '0').padEnd(least, '0')
  return kept === '' ? whole! : `${whole}.${kept}`
}

/** A cXML PunchOutOrderMessage. */
export function orderMessage(order: OrderMessage): string {
  const { currency, items, time, payloadId } = order
  const total = totalsOf(items).price
  return xmlDocument(
    element('cXML', { payloadID: payloadId, timestamp: time, 'xml:lang': 'en' }, [
      element('Header', {}, [
        element('From', {}, [credential(order.supplier)]),
        element('To', {}, [credential(order.buyer)]),
        element('Sender', {}, [credential(order.supplier), element('UserAgent', {}, ['Aisle'])]),
      ]),
      element('Message', {}, [
        element('PunchOutOrderMessage', {}, [
          element('BuyerCookie', {}, [order.buyerCookie]),
          element('PunchOutOrderMessageHeader', { operationAllowed: 'create' }, [
            element('Total', {}, [money(total, currency)]),
          ]),
          ...items.map((item, index) => itemIn(item, index + 1, currency)),
        ]),
      ]),
    ]),
  )
}

const credential = (identity: string): CxmlElement =>
  element('Credential', { domain: 'NetworkId' }, [element('Identity', {}, [identity])])

const money = (value: number, currency: string): CxmlElement =>
  element('Money', { currency }, [decimal(value, 2)])

function itemIn(item: OrderItem, lineNumber: number, currency: string): CxmlElement {
  const { manufacturer, manufacturerPartNumber } = item
  return element('ItemIn', { quantity: decimal(item.quantity), lineNumber: `${lineNumber}` }, [
    element('ItemID', {}, [
      element('SupplierPartID', {}, [item.supplierPartId]),
      element('SupplierPartAuxiliaryID', {}, [`${item.catalog}/${item.productId}`]),
    ]),
    element('ItemDetail', {}, [
      element('UnitPrice', {}, [money(item.price ?? 0, currency)]),
      element('Description', { 'xml:lang': 'en' }, [item.name ?? item.productId]),
      element('UnitOfMeasure', {}, ['EA']),
      element('Classification', { domain: 'UNSPSC' }, [item.unspsc ?? '']),
      ...(manufacturerPartNumber === null
        ? []
        : [element('ManufacturerPartID', {}, [manufacturerPartNumber])]),
      ...(manufacturer === null ? [] : [element('ManufacturerName', {}, [manufacturer])]),
    ]),
  ])
}
