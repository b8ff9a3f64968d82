import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface TableProps {
  /** What it lists, for who does not see it. */
  readonly label: string
  /** Headings; one that ends with `#` is of numbers. */
  readonly heads: readonly string[]
  /** Its columns stay wide enough for whole words; the last one is the widest. */
  readonly isWhole?: boolean
  readonly children: ComponentChildren
}

/** A table, whose rows become cards on a narrow screen; it is pushed sideways where it is still wider. */
export function Table({ label, heads, isWhole = false, children }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  // On a card each cell says what it is.
  useLayoutEffect(() => {
    for (const row of body.current?.rows ?? []) {
      for (const [at, cell] of [...row.cells].entries()) {
        cell.dataset.label = heads[at]?.replace('#', '') ?? ''
      }
    }
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys push what has the focus
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
