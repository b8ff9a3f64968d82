import { expect, test } from 'vitest'
import { categoryPathClause } from '../../../src/products/criterion-clauses.ts'
import { categoryTree } from '../../../src/search/category-tree.ts'
import { token } from '../../../src/text.ts'

test('levels within a field are levels of the tree, most frequent first', () => {
  const paths = new Map([
    [token('A', 'B > C', 'D'), 2],
    [token('A', 'X', ''), 3],
    [token('', 'A > B', ''), 1],
    [token('', 'Z', ''), 7],
  ])
  expect(categoryTree(paths)).toEqual([
    { name: 'Z', path: 'Z', count: 7, children: [] },
    {
      ...{ name: 'A', path: 'A', count: 6 },
      children: [
        {
          ...{ name: 'B', path: 'A > B', count: 3 },
          children: [
            {
              ...{ name: 'C', path: 'A > B > C', count: 2 },
              children: [{ name: 'D', path: 'A > B > C > D', count: 2, children: [] }],
            },
          ],
        },
        { name: 'X', path: 'A > X', count: 3, children: [] },
      ],
    },
  ])
})

test('levels that are too deep stay together', () => {
  const names = Array.from({ length: 15 }, (_, at) => `n${at}`)
  let [branch] = categoryTree(new Map([[token('', names.join(' > '), ''), 1]]))
  let depth = 1
  for (; branch!.children.length > 0; depth++) branch = branch!.children[0]
  expect([depth, branch!.name]).toEqual([12, 'n11 > n12 > n13 > n14'])
})

test('a path is searched for wherever it is split into fields', () => {
  const cut = '( \\> |\u001f+)'
  expect(categoryPathClause('A > B.C')).toEqual({
    regexp: { 'search.path': { value: `\u001f*A${cut}B\\.C(${cut}.*)?` } },
  })
  expect(categoryPathClause('x'.repeat(607))).toEqual({ match_none: {} })
  expect(categoryPathClause(' > '.repeat(8))).toEqual({ match_none: {} })
})
