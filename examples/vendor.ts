import {
  type Call,
  type Extension,
  type Product,
  type RunRequest,
  serveFromCommandLine,
} from './server.ts'

/*
 * A vendor's stock and price service: a realtime extension. Each customer has an account with a
 * password and a discount; what is in stock is told by warehouse.
 */

interface Article {
  readonly number: string
  readonly manufacturerPartNumber: string
  readonly description: string
  readonly price: number
  readonly stock: Readonly<Record<string, number>>
  /** Date when more stock is expected; null if there is none. */
  readonly expected: string | null
}

const ARTICLES: readonly Article[] = [
  {
    number: 'OV-77',
    manufacturerPartNumber: 'DS18-040',
    description: 'Forge 18 V cordless drill driver',
    price: 92.5,
    stock: { Rotterdam: 7, Leipzig: 30 },
    expected: null,
  },
  {
    number: 'OV-19',
    manufacturerPartNumber: 'CW-19',
    description: 'Combination wrench 19 mm',
    price: 7.4,
    stock: { Rotterdam: 0, Leipzig: 0 },
    expected: '2027-02-01T00:00:00Z',
  },
]

const ACCOUNTS: Readonly<Record<string, { password: string; discount: number }>> = {
  '1001': { password: 'oakvale', discount: 0 },
  '1002': { password: 'oakvale', discount: 0.1 },
}

const manifest = {
  id: 'oakvale-stock',
  kind: 'realtime',
  name: 'Oakvale stock and price',
  description: 'What Oakvale Supply has in stock, at your prices.',
  fields: [
    { field: 'account', description: 'Your customer number' },
    { field: 'password', description: 'Its password', fieldType: 'password', protected: true },
  ],
  calls: ['validate', 'run'],
  mapToVendor: true,
}

const accountOf = ({ account = '', password = '' }: Readonly<Record<string, string>>) => {
  const found = ACCOUNTS[account]
  return found?.password === password ? found : undefined
}

const same = (a: string | null, b: string) => a?.trim().toLowerCase() === b.toLowerCase()

const articleOf = ({ vendorPartNumber, manufacturerPartNumber }: Product) =>
  ARTICLES.find(({ number }) => same(vendorPartNumber, number)) ??
  ARTICLES.find((article) => same(manufacturerPartNumber, article.manufacturerPartNumber))

function itemOf(article: Article, discount: number) {
  const warehouses = Object.entries(article.stock).map(([warehouse, onHand]) => ({
    warehouse,
    onHand,
    inStockDate: onHand > 0 ? null : article.expected,
  }))
  const onHand = warehouses.reduce((sum, one) => sum + one.onHand, 0)
  return {
    vendorPartNumber: article.number,
    manufacturerPartNumber: article.manufacturerPartNumber,
    description: article.description,
    status: onHand > 0 ? 'in stock' : 'expected',
    active: true,
    onHand,
    cost: Math.round(article.price * (1 - discount) * 100) / 100,
    inStockDate: onHand > 0 ? null : article.expected,
    warehouses,
  }
}

export const vendor: Extension = {
  manifest,
  calls: {
    validate({ installation }: Call<null>) {
      if (accountOf(installation.fields)) return { problems: [] }
      return { problems: [{ field: 'account', message: 'unknown, or another password' }] }
    },
    run({ installation, request }: Call<RunRequest>) {
      const account = accountOf(installation.fields)
      if (!account) return { error: 'The account is unknown, or the password is another.' }
      const found = request.products.map(articleOf).filter((article) => article !== undefined)
      return { items: [...new Set(found)].map((article) => itemOf(article, account.discount)) }
    },
  },
}

if (import.meta.main) await serveFromCommandLine(vendor, 4010)
