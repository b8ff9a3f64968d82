import { vi } from 'vitest'
import type { Contracts } from '../contract.ts'

export const contracts: Contracts = {
  'Search Usage': {
    ok: async (world) => {
      const catalog = await world.shop()
      await world.call(`POST /api/search?catalog=${catalog}`, { body: {} })
      await vi.waitFor(
        async () => {
          const { body } = await world.call('GET /api/organizations/current/usage')
          if (body.searchCreditsUsed === 0) throw new Error('not counted yet')
        },
        { timeout: 20_000 },
      )
      return {}
    },
    fails: { 400: { query: { month: '13' } } },
  },
}
