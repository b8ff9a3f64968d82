import { expect, test } from 'vitest'
import { storeLinksReliably } from '../../../src/exports/links.ts'
import type { Context } from '../../../src/operation.ts'
import { partOf } from '../../../src/platform/load-owner.ts'

test('links that are stored later count for their organization, and are lost if it has too many', async () => {
  const owners: (string | undefined)[] = []
  let hasRoom = true
  const ctx = {
    organization: { id: 'branch', parent: 'acme' },
    signal: AbortSignal.abort(),
    elastic: {},
    background: {
      run(_name: string, _work: () => Promise<unknown>, owner?: string) {
        owners.push(owner)
        return hasRoom
      },
    },
  } as unknown as Context
  const named = ['a', 'b'].map((id) => ({ catalog: 'c', id, externalId: `x${id}` }))
  expect(await storeLinksReliably(ctx, 'sap', named)).toBe(0)
  hasRoom = false
  expect(await storeLinksReliably(ctx, 'sap', named)).toBe(2)
  expect(owners).toEqual(Array.from({ length: 2 }, () => partOf('acme', 'branch')))
})
