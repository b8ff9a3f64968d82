import {
  categoryPath,
  named,
  type RowTexts,
  rememberingLast,
  type ShopSystem,
  unlessZero,
  withUnit,
} from './system.ts'

/** Ids of Shopware, which mean nothing outside the shop. */
const IDS = /^(?:[\da-f]{32}\|?)+$/

/** Parses `Size: M|Color: Red`, if the profile exports names. */
const namesIn = (text: string | undefined): [string, string][] =>
  !text || IDS.test(text) ? [] : named(entriesOf(text))

function* entriesOf(text: string): Generator<[name: string, value: string]> {
  for (const entry of text.split('|')) {
    const [name = '', ...value] = entry.split(/[:=]/)
    yield [name.trim(), value.join(':').trim()]
  }
}

const categoryOf = rememberingLast((text) =>
  IDS.test(text) ? '' : categoryPath(text.split('|', 1)[0]!, '>'),
)

/** Pictures besides the cover, if the profile exports addresses. */
const picturesOf = ({ media, cover_media_url: cover }: RowTexts): string[] =>
  !media || IDS.test(media) ? [] : media.split('|').filter((url) => url !== '' && url !== cover)

/** The default product profile. */
export const shopware: ShopSystem = {
  name: 'Shopware',
  // A number and a price alone occur in files of many systems.
  signatures: [
    ['product_number', 'parent_id', 'active'],
    ...['price_gross', 'price_net'].flatMap((price) =>
      ['tax_id', 'cover_media_url', 'manufacturer_id'].map((own) => ['product_number', price, own]),
    ),
  ],
  fields: {
    product_number: 'id',
    name: 'name',
    description: 'description',
    manufacturer_name: 'manufacturer',
    manufacturer_number: 'manufacturerPartNumber',
    ean: 'upcs',
    stock: 'vendor.onHand',
    cover_media_url: 'image',
  },
  read: [
    [/^(?:parent_id|id)$/, 'groupId'],
    [/^price_(?:gross|net)$/, 'vendor.cost'],
    [/^list_price_(?:gross|net)$/, 'msrp'],
    [/^categories$/, 'category'],
    [/^media$/, 'images'],
    [/^(?:options|optionIds)$/, 'option'],
    [/^(?:properties|propertyIds|weight|width|height|length)$/, 'attribute'],
    // The purchase price is confidential.
    [/^(?:purchase_prices_.{1,20}|tax_id|tax_rate|tax_name|cover_media_(?:id|title|alt))$/, null],
    [/^(?:manufacturer_id|sales_channel|max_purchase|min_purchase|purchase_steps)$/, null],
  ],
  families: {
    stand: 'apart',
    namesOf: (head) => [head.id ?? ''],
    headOf: (row) => row.parent_id ?? '',
    own: /^(?:id|parent_id|product_number|stock|ean|options|optionIds)$/,
  },
  // Whether other rows have variants is known only when these come.
  roleOf: (row) => (row.parent_id ? 'variant' : 'head'),
  values: (row) => ({
    fields: {
      groupId: row.parent_id,
      'vendor.cost': row.price_gross ?? row.price_net,
      msrp: unlessZero(row.list_price_gross ?? row.list_price_net),
      category: categoryOf(row.categories),
    },
    options: namesIn(row.options ?? row.optionIds),
    attributes: [
      ...namesIn(row.properties ?? row.propertyIds),
      // Shopware keeps kilograms and millimeters.
      ['weight', withUnit(row.weight, 'kg')],
      ...['width', 'height', 'length'].map((name) => [name, withUnit(row[name], 'mm')] as const),
    ],
    images: picturesOf(row),
  }),
  isHidden: ({ active }) => active === '0' || active === 'false',
}
