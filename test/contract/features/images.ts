import type { Contracts } from '../contract.ts'

/** A GIF of one pixel. */
const file = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const body = { file, fileName: 'front.gif', type: 'image/gif' }

export const contracts: Contracts = {
  'Read Image': {
    ok: async (world) => ({ path: [await world.image()] }),
    fails: {
      400: { path: [`${'A'.repeat(22)}.png`], query: { width: 'wide' } },
      404: { path: [`${'A'.repeat(22)}.png`] },
    },
  },
  'Save Product Image': {
    ok: async (world) => {
      const [catalog, productId] = await world.product()
      return { query: { catalog, productId }, body }
    },
    fails: {
      400: { body: { file: 'PGh0bWw+', fileName: 'front.png' } },
      404: async (world) => ({
        query: { catalog: await world.shop(), productId: 'missing' },
        body,
      }),
      413: { body: { file: Buffer.alloc(6 * 1024 * 1024).toString('base64') } },
      415: { body, headers: { 'content-type': 'text/plain' } },
    },
  },
  'Delete Custom Product Images': {
    ok: async (world) => {
      const [catalog, productId] = await world.product()
      const query = { catalog, productId }
      const line = `POST /api/images?${new URLSearchParams(query)}`
      const { url } = (await world.call(line, { body })).body
      const id = url.split('/').at(-1)
      world.note(id.split('.')[0])
      return { path: [productId], query: { catalog }, body: { customImageIds: [id] } }
    },
    fails: {
      400: async (world) => ({
        path: ['D-100'],
        query: { catalog: await world.shop() },
        body: { customImageIds: 'all' },
      }),
      404: async (world) => ({
        path: ['missing'],
        query: { catalog: await world.shop() },
        body: { customImageIds: [] },
      }),
    },
  },
}
