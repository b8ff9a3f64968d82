import type { Contracts } from '../contract.ts'

export const contracts: Contracts = {
  'Generate API Key': {
    ok: { body: { name: 'storefront', keyType: 'search' } },
    fails: {
      400: { body: { keyType: 'master' } },
      403: { body: { username: 'administrator' } },
      404: { as: 'administrator', body: { username: 'nobody' } },
    },
  },
  'Get API Keys': { ok: {} },
  'Disable API Key': {
    ok: async (world) => {
      const { body } = await world.mine('POST /api/KeyAuth/keys', { body: { name: 'old' } })
      return { path: [world.note(body.id ?? crypto.randomUUID())] }
    },
    fails: { 404: { path: [crypto.randomUUID()] } },
  },
}
