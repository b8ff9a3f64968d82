import type { Contracts } from '../contract.ts'

export const contracts: Contracts = {
  'Generate API Key': {
    ok: {
      body: {
        name: 'storefront',
        keyType: 'search',
        filter: { inStock: true },
        hide: ['public'],
        rate: { perSecond: 100, perAddress: 10 },
      },
    },
    fails: {
      400: { body: { keyType: 'master' } },
      403: { body: { username: 'administrator' } },
      404: { as: 'administrator', body: { username: 'nobody' } },
    },
  },
  'Get API Keys': { ok: {} },
  'Disable API Key': {
    ok: async (world) => {
      const line = 'POST /api/KeyAuth/keys'
      const own = await world.mine(line, { body: { name: 'old' } })
      const { body } = own.status === 200 ? own : await world.call(line, { body: { name: 'old' } })
      return { path: [world.note(body.id)] }
    },
    fails: { 404: { path: [crypto.randomUUID()] } },
  },
}
