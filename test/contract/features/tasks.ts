import { taskEnded } from '../../support/imports.ts'
import type { Contracts } from '../contract.ts'
import type { World } from '../world.ts'

/** The id of a task of the identity that will call. */
async function task(world: World): Promise<string> {
  const body = {
    fileUrl: await world.file(),
    fileType: 'csv',
    targetCatalog: await world.catalog(),
  }
  const queued = await world.mine('POST /api/extensions/import/import', { body })
  if (queued.status === 200) return world.note(queued.body.taskId)
  return world.note((await world.call('POST /api/extensions/import/import', { body })).body.taskId)
}

export const contracts: Contracts = {
  'Get Tasks': {
    ok: { query: { includeDismissed: 'true' } },
    fails: { 400: { query: { includeDismissed: 'perhaps' } } },
  },
  'Get Task': {
    ok: async (world) => ({ path: [await task(world)] }),
    fails: { 404: { path: [crypto.randomUUID()] } },
  },
  'Update Task': {
    ok: async (world) => ({ path: [await task(world)], body: { reviewed: true } }),
    fails: {
      400: async (world) => ({ path: [await task(world)], body: {} }),
      404: { path: [crypto.randomUUID()], body: { reviewed: true } },
      409: async (world) => {
        const id = await task(world)
        await taskEnded(world.call, id)
        return { path: [id], body: { cancelled: true } }
      },
    },
  },
}
