import { useState } from 'preact/hooks'
import type { Product } from '../aisle/types.ts'
import { useShop } from '../shop/shop.ts'
import { useLists } from '../shop/use-lists.ts'
import { Icon } from './icons.tsx'
import { useTold } from './told.tsx'

const NOTE_LENGTH = 2_000

interface ActionsProps {
  readonly product: Product
  onChanged(): void
}

/** What a person keeps of a product: on a list, as a favorite, with a note. */
export function ProductActions({ product, onChanged }: ActionsProps) {
  return (
    <div class="actions">
      <AddToList product={product} />
      <Favorite product={product} />
      <OwnNote product={product} onChanged={onChanged} />
    </div>
  )
}

const pathOf = ({ catalog, id }: Product): string =>
  `api/Catalog/${encodeURIComponent(catalog)}/products/${encodeURIComponent(id)}`

function AddToList({ product }: { product: Product }) {
  const { call, router, reportChoice } = useShop()
  const { lists } = useLists()
  const { told, tell } = useTold()
  const add = (form: HTMLFormElement) => {
    const data = new FormData(form)
    const list = String(data.get('list')).trim()
    const path = `${pathOf(product)}/addToWorkspace/${encodeURIComponent(list)}`
    return tell(async () => {
      await call('POST', path, { body: { quantity: Number(data.get('quantity')) } })
      reportChoice(product, 'cart')
      return (
        <>
          On the list <a href={router.href({ page: 'lists' })}>{list}</a>.
        </>
      )
    })
  }
  return (
    <form
      class="add"
      onSubmit={(event) => {
        event.preventDefault()
        void add(event.currentTarget)
      }}
    >
      <label>
        Quantity
        <input
          type="number"
          name="quantity"
          min="0.001"
          max="1000000"
          step="any"
          defaultValue="1"
          required
        />
      </label>
      <label>
        List
        <input
          name="list"
          list="lists"
          maxLength={200}
          defaultValue={lists[0]?.name ?? 'My list'}
          required
        />
      </label>
      <datalist id="lists">
        {lists.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <button type="submit" class="button is-main">
        Add to list
      </button>
      {told}
    </form>
  )
}

function Favorite({ product }: { product: Product }) {
  const { call } = useShop()
  const [isFavorite, setIsFavorite] = useState(product.favorite.user)
  const { told, tell } = useTold()
  const toggle = () =>
    tell(async () => {
      await call(isFavorite ? 'DELETE' : 'PUT', `${pathOf(product)}/favorites/user`)
      setIsFavorite(!isFavorite)
      return undefined
    })
  return (
    <div>
      <button type="button" class="button favorite" aria-pressed={isFavorite} onClick={toggle}>
        <Icon name="heart" />
        {isFavorite ? 'A favorite of yours' : 'Make it a favorite'}
      </button>
      {told}
    </div>
  )
}

function OwnNote({ product, onChanged }: ActionsProps) {
  const { call } = useShop()
  const { told, tell } = useTold()
  const save = (form: HTMLFormElement) =>
    tell(async () => {
      const text = String(new FormData(form).get('note'))
      await call('PUT', `${pathOf(product)}/notes`, { body: { text } })
      form.reset()
      onChanged()
      return text.trim() === '' ? 'Your note is gone.' : 'Your note is kept.'
    })
  return (
    <details class="own-note">
      <summary>Write a note</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save(event.currentTarget)
        }}
      >
        <textarea name="note" rows={3} maxLength={NOTE_LENGTH} aria-label="Your note" />
        <button type="submit" class="button">
          Keep the note
        </button>
      </form>
      {told}
    </details>
  )
}
