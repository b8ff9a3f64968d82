import type { Contract, Contracts, Sending, Sent } from '../contract.ts'
import type { World } from '../world.ts'

type Place = Pick<Sent, 'path' | 'query'>
type Placed = (product: readonly [catalog: string, id: string]) => Place

/** The product in the path, `{catalog}/…/{id}`, followed by further segments. */
const inPath =
  (...rest: string[]): Placed =>
  (product) => ({ path: [...product, ...rest] })

/** The product as `favorites/{id}?catalog=`. */
const inQuery: Placed = ([catalog, id]) => ({ path: [id], query: { catalog } })

const of = (placed: Placed, parts: Sent = {}): Sending => {
  return async (world: World) => ({ ...placed(await world.product()), ...parts })
}

const unknown = (placed: Placed, parts: Sent = {}): Sending => {
  return async (world: World) => ({ ...placed([await world.shop(), 'missing']), ...parts })
}

const reading = (placed: Placed): Contract => ({
  ok: of(placed),
  fails: { 404: unknown(placed) },
})

/** The contract of a write, with or without a body. */
function writing(placed: Placed, body?: unknown, wrong?: unknown): Contract {
  const sent = body === undefined ? {} : { body }
  return {
    ok: of(placed, sent),
    fails: {
      ...(wrong === undefined ? {} : { 400: of(placed, { body: wrong }) }),
      404: unknown(placed, sent),
      412: of(placed, { ...sent, headers: { 'if-match': '"99"' } }),
    },
  }
}

const noted: Sending = async (world) => {
  const [catalog, id] = await world.product()
  const path = `/api/Catalog/${catalog}/products/${id}/notes`
  await world.mine(`PUT ${path}`, { body: { text: 'Ask Oakvale for the case.' } })
  return { path: [catalog, id] }
}

export const contracts: Contracts = {
  'Add to User Favorites': writing(inPath()),
  'Remove from User Favorites': writing(inPath()),
  'Add to Organization Favorites': writing(inPath()),
  'Remove from Organization Favorites': writing(inPath()),
  'Get Favorites': {
    ok: async (world) => {
      const catalog = await world.shop()
      await world.mine(`PUT /api/Catalog/${catalog}/products/D-100/favorites/user`)
      return { query: { catalog, page: '0', pageSize: '25' } }
    },
    fails: {
      400: async (world) => ({ query: { catalog: await world.shop(), page: '-1' } }),
      404: { query: { catalog: 'no-such-catalog' } },
    },
  },
  'Set Favorites': writing(inQuery, { user: true }, { user: 'yes' }),
  'Remove Company Favorite': writing(inQuery),
  'Remove User Favorite': writing(inQuery),
  'Get Product Notes': reading(inPath()),
  'Update Product Notes': writing(
    inPath(),
    { text: 'Ask Oakvale for the case.' },
    { text: 'x'.repeat(2_001) },
  ),
  'Delete Note': {
    ok: noted,
    fails: {
      404: of(inPath()),
      412: of(inPath(), { headers: { 'if-match': '"99"' } }),
    },
  },
  'Update Product Tags': writing(inPath(), ['site 7', 'quiet'], 'quiet'),
  'Update Product Tags (User)': writing(inPath(), ['for Monday'], [1]),
  'Get Extension Fields': reading(inPath()),
  'Get Product Specific Extension Fields': reading(inPath('erp')),
  'Update Extensions Field': writing(inPath('erp', 'costCentre'), { value: '4711' }, { value: 7 }),
  'Add Extension Link': writing(inPath('erp', 'MAT-000711')),
}
