import {
  addProductToWorkspace,
  addToUserFavorites,
  removeFromUserFavorites,
  updateProductNotes,
} from 'aisle-client'
import { useState } from 'preact/hooks'
import { useShop } from '../shop/shop.ts'
import type { Product } from '../shop/types.ts'
import { useLists } from '../shop/use-lists.ts'
import { Icon } from './icons.tsx'
import { useTold } from './told.tsx'

const NOTE_LENGTH = 2_000

interface ActionsProps {
  readonly product: Product
  onChanged(): void
}

/** Actions on a product: add it to a list, mark it as a favorite, write a note. */
export function ProductActions({ product, onChanged }: ActionsProps) {
  return (
    <div class="actions">
      <AddToList product={product} />
      <Favorite product={product} />
      <OwnNote product={product} onChanged={onChanged} />
    </div>
  )
}

function AddToList({ product }: { product: Product }) {
  const { connection, router, reportChoice } = useShop()
  const { lists } = useLists()
  const { told, tell } = useTold()
  const add = (form: HTMLFormElement) => {
    const data = new FormData(form)
    const list = String(data.get('list')).trim()
    return tell(async () => {
      const { catalog, id } = product
      const quantity = Number(data.get('quantity'))
      await addProductToWorkspace(connection, { catalog, id, workspace: list, quantity })
      reportChoice(product, 'cart')
      return (
        <>
          Added to <a href={router.href({ page: 'lists' })}>{list}</a>.
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
  const { connection } = useShop()
  const [isFavorite, setIsFavorite] = useState(product.favorite.user)
  const { told, tell } = useTold()
  const toggle = () =>
    tell(async () => {
      const mark = isFavorite ? removeFromUserFavorites : addToUserFavorites
      await mark(connection, { catalog: product.catalog, id: product.id })
      setIsFavorite(!isFavorite)
      return undefined
    })
  return (
    <div>
      <button type="button" class="button favorite" aria-pressed={isFavorite} onClick={toggle}>
        <Icon name="heart" />
        {isFavorite ? 'Saved to favorites' : 'Add to favorites'}
      </button>
      {told}
    </div>
  )
}

function OwnNote({ product, onChanged }: ActionsProps) {
  const { connection } = useShop()
  const { told, tell } = useTold()
  const save = (form: HTMLFormElement) =>
    tell(async () => {
      const text = String(new FormData(form).get('note'))
      await updateProductNotes(connection, { catalog: product.catalog, id: product.id, text })
      form.reset()
      onChanged()
      return text.trim() === '' ? 'Note deleted.' : 'Note saved.'
    })
  return (
    <details class="own-note">
      <summary>Add a note</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save(event.currentTarget)
        }}
      >
        <textarea name="note" rows={3} maxLength={NOTE_LENGTH} aria-label="Your note" />
        <button type="submit" class="button">
          Save note
        </button>
      </form>
      {told}
    </details>
  )
}
