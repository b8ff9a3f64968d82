import { deleteWorkspaceItem, updateWorkspaceItem } from 'aisle-client'
import { useEffect } from 'preact/hooks'
import { useShop } from '../shop/shop.ts'
import type { Workspace, WorkspaceItem } from '../shop/types.ts'
import { useLists } from '../shop/use-lists.ts'
import { Icon } from './icons.tsx'
import { count, plural } from './offers.ts'
import { PasteList } from './paste-list.tsx'
import { Picture } from './picture.tsx'
import { Failed, Loading, Notice } from './states.tsx'
import { useTold } from './told.tsx'

/** The organization's lists with quantities and totals, and a form to paste one. */
export function ListsPage() {
  const { session } = useShop()
  useEffect(() => {
    document.title = 'Lists · Aisle'
  }, [])
  if (!session.isMember) {
    return (
      <Notice title="Sign in to save lists">
        <p>You’re browsing with a search-only key. Sign in with your personal key to save lists.</p>
      </Notice>
    )
  }
  return <OwnLists />
}

function OwnLists() {
  const { lists, isLoading, problem, load } = useLists()
  return (
    <div class="lists">
      <h1>Lists</h1>
      <PasteList lists={lists} onAdded={load} />
      {isLoading && <Loading />}
      {problem && <Failed title="We couldn’t load your lists" problem={problem} retry={load} />}
      {!isLoading && !problem && lists.length === 0 && (
        <p class="lists-none">
          You don’t have any lists yet. Paste one above, or choose “Add to list” on a product page.
        </p>
      )}
      {lists.map((list) => (
        <List key={list.id} list={list} onChanged={load} />
      ))}
    </div>
  )
}

interface ListProps {
  readonly list: Workspace
  onChanged(): Promise<void>
}

function List({ list: { id, name, products, totals }, onChanged }: ListProps) {
  const { price } = useShop()
  return (
    <section class="list" aria-labelledby={`list-${id}`}>
      <div class="list-head">
        <h2 id={`list-${id}`}>{name}</h2>
        <p class="amount">{plural(totals.items, 'item')}</p>
      </div>
      {products.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col">Quantity</th>
              <th scope="col" class="is-amount">
                Unit price
              </th>
              <th scope="col" class="is-amount">
                Subtotal
              </th>
              <th scope="col">
                <span class="unseen">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {products.map((item) => (
              <Item key={item.id} list={id} item={item} onChanged={onChanged} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td>{count(totals.quantity)}</td>
              <td />
              <td class="is-amount">{price(totals.price)}</td>
              <td />
            </tr>
          </tfoot>
        </table>
      )}
      {products.length < totals.items && (
        <p class="amount">
          The total includes {plural(totals.items - products.length, 'more item')} not shown here
        </p>
      )}
    </section>
  )
}

interface ItemProps {
  readonly list: string
  readonly item: WorkspaceItem
  onChanged(): Promise<void>
}

function Item({ list, item: { id, productId, product, details, deleted }, onChanged }: ItemProps) {
  const { connection, router, price } = useShop()
  const { told, tell } = useTold()
  const change = (work: () => Promise<unknown>) =>
    tell(async () => {
      await work()
      await onChanged()
      return undefined
    })
  const name = product.name ?? productId
  return (
    <tr>
      <th scope="row">
        <span class="list-product">
          <Picture url={product.image} across="4rem" />
          {deleted ? <s>{name}</s> : <a href={router.href({ product: productId })}>{name}</a>}
        </span>
        {told}
      </th>
      <td>
        <input
          type="number"
          aria-label={`Quantity for ${name}`}
          min="0.001"
          max="1000000"
          step="any"
          value={details.quantity}
          onChange={({ currentTarget }) => {
            const quantity = currentTarget.valueAsNumber
            const item = { workspace: list, id, details: { quantity } }
            if (quantity > 0) void change(() => updateWorkspaceItem(connection, item))
          }}
        />
      </td>
      <td class="is-amount">{details.price === null ? '' : price(details.price)}</td>
      <td class="is-amount">
        {details.price === null ? '' : price(details.price * details.quantity)}
      </td>
      <td>
        <button
          type="button"
          class="close"
          aria-label={`Remove ${name} from list`}
          onClick={() => change(() => deleteWorkspaceItem(connection, { workspace: list, id }))}
        >
          <Icon name="close" />
        </button>
      </td>
    </tr>
  )
}
