import type { ComponentChildren } from 'preact'
import { useShop } from '../shop/shop.ts'
import { useStore } from '../shop/store.ts'
import { Icon } from './icons.tsx'

export function Pages() {
  const { search } = useShop()
  const pages = useStore(search.pages)
  if (!pages || pages.nbPages < 2) return null
  const { currentRefinement: current, nbPages, createURL, refine, isFirstPage, isLastPage } = pages
  const turn = (event: MouseEvent, page: number) => {
    event.preventDefault()
    refine(page)
    scrollTo(0, 0)
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  const link = (page: number, label: string, content: ComponentChildren) => (
    <a
      key={label}
      href={createURL(page)}
      aria-label={label}
      aria-current={page === current ? 'page' : undefined}
      onClick={(event) => turn(event, page)}
    >
      {content}
    </a>
  )
  return (
    <nav class="pages" aria-label="Pagination">
      {!isFirstPage && link(current - 1, 'Previous page', <Icon name="back" />)}
      {pages.pages.map((page) => link(page, `Page ${page + 1} of ${nbPages}`, page + 1))}
      {!isLastPage && link(current + 1, 'Next page', <Icon name="next" />)}
    </nav>
  )
}
