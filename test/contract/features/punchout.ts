import type { Contracts, Sent } from '../contract.ts'
import type { World } from '../world.ts'

const callbackUrl = 'https://buyer.example/cart'

async function setup(world: World): Promise<Sent & { body: object }> {
  const configurations = [{ name: 'punchoutCallbackHosts', defaultValue: 'buyer.example' }]
  await world.call('PUT /api/organizations/current', { body: { configurations } })
  const apiKey = await world.keyOf('viewer')
  return { body: { company: world.organization.id, username: 'viewer', apiKey, callbackUrl } }
}

async function token(world: World): Promise<string> {
  const { body } = await world.call('POST /api/KeyAuth/punchout/setup/json', await setup(world))
  return world.note(body.startPageUrl.split('=')[1])
}

/** The key of a session whose workspace has an item. */
async function shopping(world: World): Promise<Sent> {
  const { body } = await world.call(`GET /api/KeyAuth/punchout/session/${await token(world)}`)
  const line = `POST /api/Catalog/${await world.shop()}/products/W-300/addToWorkspace/`
  await world.call(line + body.workspace)
  return { key: body.key, organization: body.organization }
}

export const contracts: Contracts = {
  'Punchout Setup': {
    ok: setup,
    fails: {
      400: async (world) => {
        const { body } = await setup(world)
        return { body: { ...body, callbackUrl: 'https://elsewhere.example/' } }
      },
      401: async (world) => ({ body: { ...(await setup(world)).body, company: 'nobody' } }),
    },
  },
  'Start Punchout Session': {
    ok: async (world) => ({ path: [await token(world)] }),
    fails: { 404: { path: ['not-a-token'] } },
  },
  'Return Punchout Session': {
    ok: async (world) => ({ ...(await shopping(world)), body: { format: 'cxml' } }),
    fails: {
      400: async (world) => ({ ...(await shopping(world)), body: { format: 'xml' } }),
      403: { body: { format: 'json' } },
    },
  },
}
