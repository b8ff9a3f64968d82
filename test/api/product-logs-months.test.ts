import { expect, test } from 'vitest'
import { term } from '../../src/elastic/clauses.ts'
import { collection } from '../../src/elastic/collection.ts'
import { prepareMonths } from '../../src/elastic/prepare-months.ts'
import { startService } from '../support/service.ts'

test('a log can be read while the index of another month is being created', async () => {
  const { elastic } = (await startService()).services
  const log = collection(elastic, { kind: 'changes', scope: ['nobody'] })
  for (let month = 0; month < 12; month += 2) {
    let created = false
    const creation = prepareMonths(elastic, new Date(Date.UTC(2040, month))).then(() => {
      created = true
    })
    while (!created) {
      const answer = await log.search({ query: term('productId', 'x') })
      expect(answer.hits.hits).toEqual([])
    }
    await creation
  }
})
