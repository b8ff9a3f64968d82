import type { Contracts } from '../contract.ts'

export const contracts: Contracts = {
  'Create Organization': {
    ok: (world) => ({
      body: {
        id: world.fresh('acme'),
        name: 'Acme',
        users: [{ username: 'ada', role: 'administrator' }],
      },
    }),
    fails: {
      400: { body: { name: '' } },
      404: { body: { name: 'Acme East', parent: 'no-such-organization' } },
      409: (world) => ({ body: { id: world.organization.id, name: 'Acme' } }),
    },
  },
  'Update Organization': {
    ok: { body: { logo: 'https://acme.example/logo.png' } },
    fails: { 400: { body: { logo: 7 } } },
  },
  'Get Organizations': {
    ok: { query: { pageSize: '25' } },
    fails: { 400: { query: { page: '-1' } } },
  },
  'Get Organization Details': { ok: {} },
  'Save User to Organization': {
    ok: (world) => ({
      path: [world.fresh('grace')],
      body: { role: 'editor', firstName: 'Grace', lastName: 'Hopper' },
    }),
    fails: {
      400: { path: ['grace'], body: { role: 'king' } },
      409: { path: ['administrator'], body: { role: 'viewer' } },
    },
  },
  'Remove User from Organization': {
    ok: async (world) => ({ path: [await world.user()] }),
    fails: { 404: { path: ['nobody'] }, 409: { path: ['administrator'] } },
  },
}
