import { vi } from 'vitest'
import type { Contract, Contracts } from '../contract.ts'

const report: Contract = {
  ok: async (world) => {
    const catalog = await world.shop()
    await world.call(`POST /api/search?catalog=${catalog}`, { body: { keywords: 'drill' } })
    await vi.waitFor(
      async () => {
        const { body } = await world.call('GET /api/reporting/searches')
        if (body.totals.searches === 0) throw new Error('not counted yet')
      },
      { timeout: 20_000 },
    )
    return { query: { catalog } }
  },
  fails: {
    400: { query: { from: '2026-02-01', to: '2026-01-31' } },
    404: { query: { catalog: 'no-such-catalog' } },
  },
}

export const contracts: Contracts = {
  'Report Choice': {
    ok: async (world) => {
      const catalog = await world.shop()
      const { body } = await world.call(`POST /api/search?catalog=${catalog}`, {
        body: { keywords: 'drill', analytics: true },
      })
      return { body: { searchId: world.note(body.searchId), productId: 'D-100', kind: 'click' } }
    },
    fails: { 400: { body: { searchId: 'of nobody', productId: 'D-100' } } },
  },
  'Search Report': report,
  'Search Report By Day': report,
}
