import type { Contracts } from '../contract.ts'
import type { World } from '../world.ts'

/** The name of a workspace that contains a drill. */
async function filled(world: World): Promise<string> {
  const name = world.fresh('kitchen')
  const catalog = await world.shop()
  await world.call(`POST /api/Catalog/${catalog}/products/D-100/addToWorkspace/${name}`)
  return name
}

const missing = { path: ['no-such-extension'] }
const file = Buffer.from('Part number,Qty\nDS18-040,2\n').toString('base64')

export const contracts: Contracts = {
  'Run Recommendation Extension': {
    ok: async (world) => ({
      path: ['bom'],
      body: {
        additionalFields: { text: '2x DS18-040\n5 pcs wrench', catalog: await world.shop() },
      },
    }),
    fails: {
      400: { path: ['similar'], body: {} },
      404: { ...missing, body: {} },
    },
  },
  'Upload Recommendation File': {
    ok: { path: ['bom'], body: { file, fileName: 'list.csv', type: 'text/csv' } },
    fails: {
      400: { path: ['bom'], body: { file: 'no base64!' } },
      404: { ...missing, body: { file } },
      413: {
        path: ['bom'],
        body: { file: Buffer.alloc(6 * 1024 * 1024).toString('base64') },
      },
      415: { path: ['bom'], body: { file }, headers: { 'content-type': 'text/plain' } },
    },
  },
  'Get Recommendations': {
    ok: async (world) => ({ path: [await filled(world), 'similar'] }),
    fails: {
      400: async (world) => ({ path: [await filled(world), 'bom'] }),
      404: { path: ['no-such-workspace', 'together'] },
    },
  },
}
