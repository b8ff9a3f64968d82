import { expect, test } from 'vitest'
import { term } from '../../src/elastic/clauses.ts'
import { createElastic } from '../../src/elastic/client.ts'
import { collection } from '../../src/elastic/collection.ts'
import { prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { monthlyKind } from '../../src/elastic/monthly-names.ts'
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

test('this and the next month have their index before the first entry', async () => {
  const { settings } = (await startService()).services.elastic
  const elastic = createElastic({ ...settings, prefix: `${settings.prefix}-first-start` })
  const definitions = await readDefinitions('index-mappings')
  const now = new Date()
  await prepareIndices(
    elastic,
    definitions.filter(({ kind }) => kind === 'changes'),
  )
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  for (const time of [now, next]) {
    const index = elastic.indexName(monthlyKind('changes', time))
    expect(await elastic.client.indices.exists({ index })).toBe(true)
  }
})
