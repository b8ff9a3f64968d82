import { randomBytes } from 'node:crypto'
import type { Contract, Contracts, Sent } from '../contract.ts'
import type { World } from '../world.ts'

/** A workspace with one item: its name, and the item's id. */
async function filled(world: World): Promise<[workspace: string, item: string]> {
  const name = world.fresh('kitchen')
  const [catalog, product] = await world.product()
  const line = `POST /api/Catalog/${catalog}/products/${product}/addToWorkspace/${name}`
  const { body } = await world.call(line, { body: { quantity: 2 } })
  world.note(body.id)
  return [name, body.id]
}

const onWorkspace = (parts: Sent, rest: readonly string[] = []) => ({
  ok: async (world: World) => ({ ...parts, path: [(await filled(world))[0], ...rest] }),
  fails: { 404: { ...parts, path: ['missing', ...rest] } },
})

const onItem = (parts: Sent) => ({
  ok: async (world: World) => ({ ...parts, path: await filled(world) }),
  fails: {
    404: async (world: World) => ({ ...parts, path: [(await filled(world))[0], 'missing'] }),
  },
})

const adding = (parts: Sent): Contract => ({
  ok: async (world) => ({ ...parts, path: [...(await world.product()), world.fresh('kitchen')] }),
  fails: {
    404: async (world) => ({ ...parts, path: [await world.shop(), 'missing', 'kitchen'] }),
  },
})

const addingItems = async (world: World): Promise<Sent> => {
  const catalog = await world.shop()
  const items = [
    { catalog, productId: 'D-100', quantity: 4 },
    { catalog, productId: 'W-300', quantity: 10, price: 7.9 },
  ]
  return { path: [(await filled(world))[0]], body: { items } }
}

export const contracts: Contracts = {
  'Get Workspaces': {
    ok: async (world) => {
      await filled(world)
      return {}
    },
  },
  'Create Workspace': {
    // Not noted, since a caller with this name creates another workspace.
    ok: () => ({ body: { name: `kitchen--${randomBytes(4).toString('hex')}` } }),
    fails: {
      400: { body: { name: '..' } },
      409: async (world) => ({ body: { name: (await filled(world))[0] } }),
    },
  },
  'Get Workspace Detail': onWorkspace({}),
  'Delete Workspace': onWorkspace({}),
  'Add Product To Workspace': {
    '1.0': adding({}),
    '6.0': adding({ body: { quantity: 2, price: 79.9 } }),
  },
  'Add Items To Workspace': {
    ok: addingItems,
    fails: {
      400: async (world) => ({ path: [(await filled(world))[0]], body: { items: [] } }),
      404: async (world) => ({ ...(await addingItems(world)), path: ['missing'] }),
    },
  },
  'Update Workspace Item': onItem({ body: { quantity: 3, price: 75 } }),
  'Delete Workspace Item': onItem({}),
  'Update Workspace Metadata': onWorkspace({ body: { value: '4711' } }, ['erp', 'orderNumber']),
  'Get Workspace Extension Field Metadata': onWorkspace({}),
  'Get Workspace Extension Field Metadata By Extension': onWorkspace({}, ['erp']),
  'Get Workspace Extension Field Metadata By Field': onWorkspace({ query: { extension: 'erp' } }, [
    'orderNumber',
  ]),
}
