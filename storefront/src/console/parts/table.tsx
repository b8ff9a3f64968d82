import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface TableProps {
  /** The accessible name of the table. */
  readonly label: string
  /** Headings; those that end with `#` are of numeric columns. */
  readonly heads: readonly string[]
  /** Whether columns are wide enough not to break words; the last one is the widest. */
  readonly isWhole?: boolean
  readonly children: ComponentChildren
}

/** A table that scrolls horizontally if it is too wide, and becomes a list of cards on narrow screens. */
export function Table({ label, heads, isWhole = false, children }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  // On cards, each cell shows the heading of its column.
  useLayoutEffect(() => {
    for (const row of body.current?.rows ?? []) {
      for (const [at, cell] of [...row.cells].entries()) {
        cell.dataset.label = heads[at]?.replace('#', '') ?? ''
      }
    }
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll the focused table
    <section class={isWhole ? 'table is-whole' : 'table'} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" class={head.endsWith('#') ? 'is-amount' : undefined}>
                {head.replace('#', '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>{children}</tbody>
      </table>
    </section>
  )
}
