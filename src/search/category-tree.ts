import { ARROW, levelsOf } from '../products/criterion-clauses.ts'
import type { CategoryBranch } from './facet-response-schemas.ts'

/** The last level; deeper ones are merged into it. */
const DEEPEST = 12

/** The names in a term of `search.path`, topmost first. */
function namesIn(path: string): string[] {
  const names = levelsOf(path)
  const deepest = names.slice(DEEPEST - 1).join(ARROW)
  return [...names.slice(0, DEEPEST - 1), ...(deepest === '' ? [] : [deepest])]
}

interface Branch {
  count: number
  readonly children: Map<string, Branch>
}

/** Builds a tree from product counts by path. Branches with the most products come first. */
export function categoryTree(paths: ReadonlyMap<string, number>): CategoryBranch[] {
  const root = new Map<string, Branch>()
  for (const [path, count] of paths) {
    let children = root
    for (const name of namesIn(path)) {
      const branch = children.get(name) ?? { count: 0, children: new Map<string, Branch>() }
      children.set(name, branch)
      branch.count += count
      children = branch.children
    }
  }
  return branchesOf(root, '')
}

const branchesOf = (branches: ReadonlyMap<string, Branch>, above: string): CategoryBranch[] =>
  [...branches]
    .sort(([a, { count: many }], [b, { count: few }]) => few - many || (a < b ? -1 : 1))
    .map(([name, { count, children }]) => {
      const path = above === '' ? name : `${above}${ARROW}${name}`
      return { name, path, count, children: branchesOf(children, path) }
    })
