import { expect, test } from 'vitest'
import { linksAmong, storeLinksReliably } from '../../../src/exports/links.ts'
import { limits } from '../../../src/limits.ts'
import type { Context } from '../../../src/operation.ts'
import { partOf } from '../../../src/platform/load-owner.ts'
import { emptyProduct } from '../../../src/products/next-document.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'

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

const viewer = { organization: 'o', username: 'u', keyType: 'full' } as const
const list = <T>(of: (at: number) => T) =>
  Array.from({ length: limits.productListEntries }, (_, at) => of(at))

test('links of products with many links and images let others run in between', async () => {
  const product = {
    ...emptyProduct({ id: 'P', catalog: 'c', actor: 'u', now: new Date(0) }),
    links: list((at) => ({ type: at === 7 ? 'erp' : 'shop', value: `${at}`, recommended: false })),
    images: list((at) => ({ id: null, url: `${at}`, name: null, type: null })),
  }
  const documents = [undefined, ...Array.from({ length: 900 }, () => ({ product }))]
  const work = async () => {
    const links = await linksAmong(documents, viewer, ['erp'])
    expect(links).toHaveLength(900)
    expect(links[0]).toMatchObject({ type: 'erp', acId: 'P', acCatalog: 'c', externalId: '7' })
  }
  await expectStepsBelow(100, work)
})
