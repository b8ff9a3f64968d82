import type { Product } from '../shop/types.ts'

/** Notes of the organization's users about a product. */
export function Notes({ product: { notes } }: { product: Product }) {
  if (notes.length === 0) return null
  return (
    <section class="notes" aria-labelledby="notes">
      <h2 id="notes">Notes from your organization</h2>
      {notes.map(({ username, text }) => (
        <blockquote key={username}>
          <p>{text}</p>
          <cite>{username}</cite>
        </blockquote>
      ))}
    </section>
  )
}
