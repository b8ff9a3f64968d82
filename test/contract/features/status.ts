import type { Contracts } from '../contract.ts'

export const contracts: Contracts = {
  Status: { ok: {} },
  'Connection status': { ok: {} },
  Metrics: { ok: {} },
}
