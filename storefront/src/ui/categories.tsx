import type { HierarchicalMenuItem } from 'instantsearch.js/es/connectors/hierarchical-menu/connectHierarchicalMenu'
import { useShop } from '../shop/shop.ts'
import { useStore } from '../shop/store.ts'
import { count } from './offers.ts'

/** The category tree, expanded along the selected path. */
export function Categories() {
  const { search } = useShop()
  const categories = useStore(search.categories)
  if (!categories || categories.items.length === 0) return null
  const branch = (items: readonly HierarchicalMenuItem[]) => (
    <ul>
      {items.map(({ value, label, count: products, isRefined, data }) => {
        const children = data ?? []
        const isHere = isRefined && !children.some((child) => child.isRefined)
        return (
          <li key={value}>
            <a
              href={categories.createURL(value)}
              class={isRefined ? 'is-chosen' : ''}
              {...(isHere ? { 'aria-current': 'true' as const } : {})}
              onClick={(event) => {
                event.preventDefault()
                categories.refine(value)
              }}
            >
              <span>{label}</span>
              <span class="amount">{count(products)}</span>
            </a>
            {isRefined && children.length > 0 && branch(children)}
          </li>
        )
      })}
    </ul>
  )
  return (
    <nav class="filter categories" aria-label="Categories">
      <h2>Category</h2>
      {branch(categories.items)}
    </nav>
  )
}
