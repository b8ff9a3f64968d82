import type { Contracts } from '../contract.ts'

const headers = { 'content-type': 'text/csv' }
const csv = new TextEncoder().encode('sku,brand,price\nD-100,Drakesmoor,89.50\n')

export const contracts: Contracts = {
  'Upload File': {
    ok: { query: { name: 'tools.csv' }, body: csv, headers },
    fails: { 400: { query: { name: 'x'.repeat(201) }, body: csv, headers } },
  },
  'Read File': {
    ok: async (world) => ({ path: [(await world.file()).split('/').at(-1)!] }),
    fails: { 404: { path: ['0'.repeat(32)] } },
  },
}
