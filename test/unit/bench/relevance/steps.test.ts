import { expect, test } from 'vitest'
import { stepLines } from '../../../../bench/relevance/report.ts'

test('a step is worth what is lost without it', () => {
  const lines = stepLines([
    { ndcg: 0.8, shoppers: { tune: 0.9, held: 0.7 } },
    { step: 'spelling', ndcg: 0.75, shoppers: { tune: 0.5, held: 0.8 } },
  ])
  expect(lines.map((line) => line.trim().split(/\s+/))).toEqual([
    ['step', 'nDCG@10', 'tune', 'held'],
    ['all', '0.800', '0.900', '0.700'],
    ['without', 'spelling', '-0.050', '-0.400', '+0.100'],
  ])
})
