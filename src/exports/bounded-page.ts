import { inSteps } from '../platform/in-steps.ts'
import type { Steps } from '../platform/steps.ts'
import type { ProductView } from '../products/view.ts'
import {
  FIRST_PORTION,
  fittingPortion,
  type PagePortion,
  type PortionsPosition,
} from './selected-portions.ts'

interface BoundedPages {
  readonly pageSize: number
  /** Bytes of the products of a page. One product may have more. */
  readonly maxBytes: number
  read(position: PortionsPosition): AsyncIterable<PagePortion>
}

/**
 * Reads pages of as many products as fit into `maxBytes`, whatever the pages before were, so that a
 * page that is sent again is the same. Products are read in portions, which begin with the size of
 * those of the last page, so that hardly more than the page is read. `texts` are products as JSON.
 */
export function createBoundedPages({ pageSize, maxBytes, read }: BoundedPages) {
  let first = FIRST_PORTION

  return async (from: Omit<PortionsPosition, 'size' | 'first'>) => {
    const page = createPage(pageSize, maxBytes)
    let last = true
    // One more product tells whether another page follows.
    for await (const portion of read({ ...from, size: pageSize + 1, first })) {
      last = await inSteps(page.add(portion))
      if (!last) break
    }
    const { seen, bytes } = page.size()
    first = fittingPortion(seen, bytes)
    return { products: page.products, texts: page.texts, seen, last }
  }
}

function createPage(pageSize: number, maxBytes: number) {
  const products: ProductView[] = []
  const texts: string[] = []
  let seen = 0
  let bytes = 0
  return {
    products,
    texts,
    size: () => ({ seen, bytes }),
    /** Whether all of these products fit. */
    *add(portion: PagePortion): Steps<boolean> {
      for (const product of portion) {
        if (seen === pageSize) return false
        if (product) {
          const text = JSON.stringify(product)
          const more = Buffer.byteLength(text) + 1
          if (texts.length > 0 && bytes + more > maxBytes) return false
          products.push(product)
          texts.push(text)
          bytes += more
          yield
        }
        seen++
      }
      return true
    },
  }
}
