import { expect, test } from 'vitest'
import { createFetching } from '../../../src/imports/pictures/fetching.ts'
import { productPictures } from '../../../src/imports/pictures/product-pictures.ts'
import { createOutbound } from '../../../src/platform/outbound/outbound.ts'
import type { ProductImage } from '../../../src/products/product.ts'
import type { TaskRunContext } from '../../../src/tasks/task.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'

const [PRODUCTS, PICTURES] = [16, 490]
/** An address in a private network, to which no call is made. */
const address = (product: number, at: number) =>
  `http://10.0.0.1/${product}/${at}?${'x'.repeat(1_500)}`

test('thousands of addresses that are refused at once let others run in between', async () => {
  const ctx = { outbound: createOutbound({}), organization: { id: 'o' }, requestId: 'r' }
  const run = { ctx, task: { id: 't' } } as unknown as TaskRunContext
  const { signal } = new AbortController()
  const picturesOf = (product: number, fetching: ReturnType<typeof createFetching>) => {
    const images = Array.from(
      { length: PICTURES },
      (_, at) => ({ url: address(product, at) }) as ProductImage,
    )
    return productPictures(run, {
      scope: {} as never,
      document: { product: { id: `P${product}`, images } },
      refresh: false,
      fetching,
      signal,
      withSlot: (work) => work(),
    })
  }
  const all = async () => {
    const fetching = createFetching(run.ctx, 't')
    const products = Array.from({ length: PRODUCTS }, (_, at) => picturesOf(at, fetching))
    const done = await Promise.all(products)
    for (const [product, { failed, failures }] of done.entries()) {
      expect(failed).toBe(PICTURES)
      expect(failures.at(-1)).toContain(address(product, PICTURES - 1))
    }
  }
  await expectStepsBelow(150, all)
})
