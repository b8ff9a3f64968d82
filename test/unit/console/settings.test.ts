import { expect, test } from 'vitest'
import {
  changedTwice,
  onTopOf,
  type Settings,
} from '../../../storefront/src/console/tuning/settings.ts'

const settings = (words: string, hidden: string, version: string) =>
  ({
    synonyms: { starter: true, groups: [{ words: [words], from: [], to: [] }] },
    rules: [],
    ranking: {},
    facets: { order: [], hidden: [hidden], shown: null },
    experiment: null,
    version,
  }) as unknown as Settings

test('two users who change settings conflict only in the same part', () => {
  const base = settings('a', 'x', '1')
  const mine = settings('mine', 'x', '1')
  expect(changedTwice(base, mine, settings('a', 'theirs', '2'))).toEqual([])
  const theirs = settings('theirs', 'theirs', '2')
  expect(changedTwice(base, mine, theirs)).toEqual(['synonyms'])
  const { synonyms } = mine
  expect(onTopOf(theirs, { synonyms }, [])).toEqual({ ...theirs, synonyms })
  expect(onTopOf(theirs, { synonyms }, ['synonyms'])).toEqual(theirs)
})
