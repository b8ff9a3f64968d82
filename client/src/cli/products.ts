import type { Client } from '../client.ts'
import type { Product } from '../generated/api.ts'
import { CATALOG, command, requireCatalog } from './command.ts'
import { readObject } from './files.ts'
import { oneLine } from './output.ts'

/** Formats a product in lines, one for each field. */
function lines(product: Product): string[] {
  return Object.entries(product).flatMap(([name, value]) => {
    if (value === null || (typeof value === 'object' && Object.keys(value).length === 0)) return []
    return [
      `${name}: ${typeof value === 'string' ? oneLine(value) : oneLine(JSON.stringify(value))}`,
    ]
  })
}

type Created = Parameters<Client['createProduct']>[0]
type Updated = Parameters<Client['updateProduct']>[0]

export const productCommands = [
  command({
    name: 'products get',
    summary: 'Prints products by id.',
    operands: 'ID...',
    count: [1, 500],
    options: {
      catalog: CATALOG,
      'price-list': { value: 'NAME', about: 'show prices of this list' },
    },
    async run({ operands, values, catalog, client, json, say }) {
      const priceList = values['price-list']
      for (const id of operands) {
        const product = await client.getProduct({
          ...{ catalog: requireCatalog(catalog), id },
          ...(priceList === undefined ? {} : { priceList }),
        })
        for (const line of json ? [JSON.stringify(product)] : [...lines(product), '']) say(line)
      }
      return undefined
    },
  }),
  command({
    name: 'products create',
    summary: 'Creates a product from a JSON file; - reads standard input.',
    operands: 'FILE.json',
    count: [1, 1],
    options: { catalog: CATALOG },
    async run({ operands, catalog, client, answer }) {
      const product = await readObject(operands[0]!)
      const answered = await client.createProduct({
        ...product,
        catalog: requireCatalog(catalog),
      } as Created)
      answer(answered, () => [oneLine(`${answered.message} ${answered.id ?? ''}`)])
      return undefined
    },
  }),
  command({
    name: 'products update',
    summary: 'Updates the fields of a product that a JSON file contains.',
    operands: 'ID FILE.json',
    count: [2, 2],
    options: {
      catalog: CATALOG,
      'if-version': { value: 'VERSION', about: 'only if the product has this version' },
    },
    async run({ operands, values, catalog, client, answer }) {
      const [id, file] = operands as [string, string]
      const change = {
        ...(await readObject(file)),
        catalog: requireCatalog(catalog),
        id,
      } as Updated
      const answered = await client.updateProduct(change, { ifMatch: values['if-version'] })
      answer(answered, () => [oneLine(answered.message)])
      return undefined
    },
  }),
  command({
    name: 'products delete',
    summary: 'Deletes products by id.',
    operands: 'ID...',
    count: [1, 500],
    options: { catalog: CATALOG },
    async run({ operands, catalog, client, json, say }) {
      for (const id of operands) {
        const answered = await client.deleteProduct({ catalog: requireCatalog(catalog), id })
        say(json ? JSON.stringify(answered) : oneLine(`${id}: ${answered.message}`))
      }
      return undefined
    },
  }),
]
