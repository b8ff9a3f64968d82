import { expect, test } from 'vitest'
import { cif } from '../../../src/formats/cif/format.ts'
import { csv } from '../../../src/formats/csv/format.ts'
import type { Format } from '../../../src/formats/format.ts'
import { limits } from '../../../src/limits.ts'
import { openRows } from '../../support/open-rows.ts'

const COUNT = 20_000

/** Entries with different names, after 3,000 for one name, which count as one. */
const entries = (sign: string, joint: string): string =>
  [
    ...Array(3_000).fill(`n0${sign}v0`),
    ...Array.from({ length: COUNT }, (_, at) => `n${at}${sign}v${at}`),
  ].join(joint)

const FILES: readonly [name: string, format: Format, rows: readonly string[]][] = [
  [
    'PrestaShop features',
    csv,
    [
      'Active (0/1);Name *;Categories (x,y,z...);Reference #;Feature(Name:Value:Position)',
      `1;n;c;r;${entries(':', ',')}`,
    ],
  ],
  [
    'Shopware properties',
    csv,
    ['product_number,parent_id,active,name,properties,id', `h,,1,n,${entries(':', '|')},x`],
  ],
  [
    'Shopware options',
    csv,
    ['product_number,parent_id,active,name,options,id', `h,,1,n,${entries(':', '|')},x`],
  ],
  [
    'Magento variations',
    csv,
    [
      'sku,attribute_set_code,product_type,name,configurable_variations',
      `h,d,configurable,n,"${entries('=', ',')},sku=a"`,
    ],
  ],
  [
    'BigCommerce options',
    csv,
    [
      'Item Type,Product ID,Product Name,Product Code/SKU,Price',
      'Product,1,n,P,5',
      `SKU,2,"${entries('=', ',')}",A,5`,
    ],
  ],
  [
    'PrestaShop combinations',
    csv,
    [
      'Product ID*;Attribute (Name:Type:Position)*;Value (Value:Position)*',
      `7;${entries(':', ',')};${entries(':', ',').replaceAll(/n\d+:/g, '')}`,
    ],
  ],
  [
    'CIF parameters',
    cif,
    [
      'CIF_I_V3.0\nFIELDNAMES: Supplier ID,Supplier Part ID,Item Description,Parametric Data\nDATA',
      `N,1,d,{${entries('=', ';')}}`,
      'ENDOFDATA',
    ],
  ],
]

/** More are refused when the row is written. */
const REFUSED = limits.productAttributes + 1

test.each(FILES)(
  'of the many names in %s, no more are read than refuse the row',
  async (...file) => {
    const [, format, rows] = file
    const { changes } = await openRows(format, rows.join('\n'))
    expect(changes).toHaveLength(1)
    const { attributes = {}, options = {} } = changes[0]!
    const read = { ...attributes, ...options }
    const names = Object.keys(read).length
    expect(names).toBeGreaterThanOrEqual(REFUSED)
    expect(names).toBeLessThanOrEqual(2 * limits.productAttributes + 10)
    expect(read).toMatchObject({ n0: 'v0', n1000: 'v1000' })
  },
)
