import { expect, test } from 'vitest'
import type { SearchBody } from '../../../src/elastic/search.ts'
import { groupTotal } from '../../../src/search/count-groups.ts'
import { criteriaOf } from '../../../src/search/criteria.ts'
import { SearchRequest } from '../../../src/search/request-schemas.ts'
import type { SearchTarget } from '../../../src/search/target.ts'
import { NO_WORDS } from '../../../src/search/understanding/reading.ts'

/** The total for 7 products that are not variants and an estimate, and whether groups are listed. */
async function counted(estimate: number, exact: object = {}) {
  const sent: SearchBody[] = []
  const search = async (body: SearchBody) => {
    sent.push(body)
    return { aggregations: exact }
  }
  const target = {
    products: { place: { scope: 'org/shop' }, search },
    viewer: { organization: 'org', username: 'ann' },
    language: 'en',
  } as unknown as SearchTarget
  const criteria = criteriaOf(SearchRequest.parse({ group: true }))
  const variants = { doc_count: 93_000, groups: { value: estimate } }
  const answer = { aggregations: { groupTotal: { doc_count: 93_007, variants } } } as never
  const total = await groupTotal(target, criteria, { answer, reading: NO_WORDS })
  return { total, isListed: sent.length > 0 }
}

const listed = (count: number, others = 0) => ({
  groups: { sum_other_doc_count: others },
  counted: { count },
})

test('groups are listed where an estimate may be wrong, unless they take up much memory', async () => {
  expect(await counted(100)).toEqual({ total: 107, isListed: false })
  expect(await counted(29_990, listed(29_993))).toEqual({ total: 30_000, isListed: true })
  expect(await counted(30_000, listed(30_000, 1))).toEqual({ total: 30_007, isListed: true })
  // The estimate may be a little too high.
  expect(await counted(30_600, listed(29_999))).toEqual({ total: 30_006, isListed: true })
  expect(await counted(30_601)).toEqual({ total: 30_608, isListed: false })
})
