import { expect, test } from 'vitest'
import { cif } from '../../../src/formats/cif/format.ts'
import { openRows } from '../../support/open-rows.ts'

const FIELDS = 'Supplier Part ID,Short Name,Unit Price,Currency'
const priced = async (rows: readonly string[], header = '') => {
  const content = `CIF_I_V3.0\n${header}FIELDNAMES: ${FIELDS}\nDATA\n${rows.join('\n')}\nENDOFDATA\n`
  const { changes, refused } = await openRows(cif, content)
  return { costs: changes.map(({ offers: [offer] }) => offer?.cost), refused }
}

test('without a currency in the header, the one of most rows is that of the file', async () => {
  const rows = ['A,a,12.50,usd', 'B,b,11.50,EUR', 'C,c', 'D,d,1150,JPY', 'E,e,7,USD', 'F,f,8,']
  expect(await priced(rows)).toEqual({
    costs: [12.5, 7, 8],
    refused: [
      [5, 'Currency: the price is in EUR, but the file is in USD'],
      [6, '2 values instead of the 4 in FIELDNAMES'],
      [7, 'Currency: the price is in JPY, but the file is in USD'],
    ],
  })
  expect(await priced(['A,a,12.50,EUR', 'B,b,11.50,USD'])).toMatchObject({ costs: [12.5] })
  expect(await priced(['A,a,12.50,', 'B,b,11.50,'])).toMatchObject({ costs: [12.5, 11.5] })
})

test('the currency of the header counts before that of the rows', async () => {
  const rows = ['A,a,12.50,EUR', 'B,b,11.50,EUR', 'C,c,9,USD']
  expect(await priced(rows, 'CURRENCY: USD\n')).toMatchObject({ costs: [9] })
})
