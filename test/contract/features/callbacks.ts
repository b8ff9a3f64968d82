import { callbackOf } from '../../support/callbacks.ts'
import type { Contracts } from '../contract.ts'
import type { World } from '../world.ts'

/** The id of a callback whose receiver does not answer. */
async function callback(world: World): Promise<string> {
  const body = {
    fileUrl: await world.file(),
    targetCatalog: await world.catalog(),
    callbackUrl: 'https://buyer.example/done',
  }
  const { taskId } = (await world.call('POST /api/extensions/import/import', { body })).body
  const { id } = await callbackOf(world.call, taskId, ({ attempts }) => attempts.length > 0)
  world.note(taskId)
  return world.note(id)
}

export const contracts: Contracts = {
  'Get Callbacks': {
    ok: async (world) => {
      await callback(world)
      return { query: { pageSize: '1' } }
    },
    fails: { 400: { query: { page: '-1' } } },
  },
  'Redeliver Callback': {
    ok: async (world) => ({ path: [await callback(world)] }),
    fails: { 404: { path: [`task_${crypto.randomUUID()}`] } },
  },
  'Rotate Callback Secret': { ok: {} },
}
