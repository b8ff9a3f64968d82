import type { Contracts } from '../contract.ts'

export const contracts: Contracts = {
  'Get Audit Log': {
    ok: async (world) => {
      await world.user('editor')
      return { query: { target: 'user', reads: 'false', pageSize: '1' } }
    },
    fails: { 400: { query: { target: 'planet' } } },
  },
}
