import { expect, test } from 'vitest'
import { limits } from '../../../src/limits.ts'
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

test('a tree is refused when its paths, repeated on each level, are too long together', () => {
  const deep = Array.from({ length: 10 }, (_, at) => `n${at}`).join(' > ')
  const paths = (count: number) =>
    new Map(
      Array.from({ length: count }, (_, at) => [token(`${at}`.padEnd(150, 'x'), deep, ''), 1]),
    )
  expect(categoryTree(paths(1_000))).toHaveLength(1_000)
  expect(() => categoryTree(paths(3_000))).toThrow(`larger than ${limits.countedBytes} bytes`)
})

test('each branch is counted once for several searches, which may be too much together', () => {
  const counted: number[] = []
  const paths = new Map([
    [token('A', 'B', ''), 2],
    [token('A', 'C', ''), 1],
  ])
  categoryTree(paths, (characters) => counted.push(characters))
  expect(counted).toEqual([49, 53, 53])
})
