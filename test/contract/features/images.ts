import type { Contracts } from '../contract.ts'

export const contracts: Contracts = {
  'Read Image': {
    ok: async (world) => ({ path: [await world.image()] }),
    fails: { 404: { path: [`${'A'.repeat(22)}.png`] } },
  },
}
