import { tooMuchCounted } from '../elastic/too-large.ts'
import { limits } from '../limits.ts'
import { ARROW, levelsOf } from '../products/category-path.ts'
import type { CategoryBranch } from './facet-response-schemas.ts'

interface Branch {
  readonly path: string
  count: number
  readonly children: Map<string, Branch>
}

/** Characters of a branch as JSON, besides its path, of which its name is a part. */
const BRANCH = 48

/**
 * Builds a tree from product counts by path. Branches with the most products come first. `spend`
 * is called with the characters of each. Throws Invalid beyond `limits.countedBytes` of them, since
 * a tree repeats the names on each level.
 */
export function categoryTree(
  paths: ReadonlyMap<string, number>,
  spend?: (characters: number) => void,
): CategoryBranch[] {
  let left: number = limits.countedBytes
  const addChild = ({ path: above, children }: Branch, name: string): Branch => {
    const path = above === '' ? name : `${above}${ARROW}${name}`
    left -= path.length + BRANCH
    if (left < 0) throw tooMuchCounted()
    spend?.(path.length + BRANCH)
    const child = { path, count: 0, children: new Map() }
    children.set(name, child)
    return child
  }
  const root: Branch = { path: '', count: 0, children: new Map() }
  for (const [path, count] of paths) {
    let branch = root
    for (const name of levelsOf(path)) {
      branch = branch.children.get(name) ?? addChild(branch, name)
      branch.count += count
    }
  }
  return branchesOf(root)
}

const branchesOf = ({ children }: Branch): CategoryBranch[] =>
  [...children]
    .sort(([a, { count: many }], [b, { count: few }]) => few - many || (a < b ? -1 : 1))
    .map(([name, branch]) => {
      const { path, count } = branch
      return { name, path, count, children: branchesOf(branch) }
    })
