import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { bulk } from '../../src/elastic/bulk.ts'
import { emptyProduct, firstDocument } from '../../src/products/next-document.ts'
import { applyPatch } from '../../src/products/patch.ts'
import type { ProductDocument } from '../../src/products/product.ts'
import { indexedPieces, productsOf } from '../../src/products/product-documents.ts'
import { ProductBody } from '../../src/products/schemas.ts'
import { oddAnnotations, oddBody } from '../support/odd-products.ts'
import { startService, type TestService } from '../support/service.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 4_242)
const COUNT = Number(process.env.FUZZ_COUNT ?? 400)

let service: TestService
beforeAll(async () => {
  service = await startService()
})

/** The document for a body; undefined if the schema rejects it. */
function documentOf(body: object, index: number): ProductDocument | undefined {
  const parsed = ProductBody.safeParse(body)
  if (!parsed.success) return undefined
  const { id = `generated ${index}`, ...patch } = parsed.data
  const stamp = { entryId: crypto.randomUUID(), actor: 'somebody', source: 'api' as const }
  const empty = emptyProduct({ id, catalog: 'odd', actor: stamp.actor, now: new Date() })
  return firstDocument(applyPatch(empty, patch), stamp)
}

describe('everything that the schema accepts', () => {
  test('can be indexed by Elasticsearch', async () => {
    const { elastic } = service.services
    const samples = fc.sample(fc.tuple(oddBody, oddAnnotations), { numRuns: COUNT, seed: SEED })
    const scope = {
      owner: `t-${crypto.randomUUID()}`,
      name: 'odd',
      index: null,
      language: 'en',
    } as const
    const products = productsOf(service.services, scope)
    const accepted = samples.flatMap(([body, annotations], index) => {
      const document = documentOf(body, index)
      const added = { annotations: { [scope.owner]: annotations }, pending: [] }
      return document ? [{ ...document, ...added }] : []
    })
    const byId = new Map(accepted.map((document) => [document.product.id, document]))
    const documents = [...byId.values()]
    expect(documents.length).toBeGreaterThan(COUNT / 4)
    const results = await bulk(
      elastic,
      documents.map((document) => ({
        action: JSON.stringify({
          index: {
            _index: elastic.indexName(products.place.kind),
            _id: products.documentId(document.product.id),
            routing: products.place.routing,
          },
        }),
        document: indexedPieces(scope, document).join(''),
      })),
      { refresh: true },
    )
    const refused = results.flatMap(({ status, reason }, index) =>
      status === 201 ? [] : [{ reason, product: documents[index]!.product }],
    )
    expect(refused).toEqual([])
    expect(await products.count()).toBe(documents.length)
  })
})
