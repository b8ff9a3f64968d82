import { expect, test } from 'vitest'
import type { Elastic } from '../../../src/elastic/client.ts'
import { partOf } from '../../../src/platform/load-owner.ts'
import { newTrace, requestTrace } from '../../../src/platform/request-trace.ts'
import { largeTurn } from '../../../src/products/writer.ts'
import { document } from './make.ts'

test('sub-organizations take turns as one organization in changes of large products', async () => {
  const services = { elastic: {} as Elastic, requests: { isShared: () => true } } as never
  const large = document({ description: 'x'.repeat(40_000) })
  const begun: string[] = []
  const change = (owner: string, name: string) =>
    requestTrace.run(newTrace({ requestId: 'r', operation: 'o', owner }), async () => {
      const leave = await largeTurn(services, { scope: { owner: name } } as never, large, undefined)
      begun.push(name)
      leave!()
    })
  const children = ['one', 'two', 'three'].map((name) => change(partOf('family', name), name))
  await Promise.all([...children, change('other', 'other')])
  expect(begun).toEqual(['one', 'other', 'two', 'three'])
})
