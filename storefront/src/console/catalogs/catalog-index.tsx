import { updateCatalog } from 'aisle-client'
import { useState } from 'preact/hooks'
import { useConsole } from '../console.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field, valuesOf } from '../parts/field.tsx'
import { Told, useDeed } from '../parts/use-deed.tsx'
import { formatRoute } from '../route.ts'
import type { Catalog } from '../types.ts'
import type { Move } from './moves.ts'

interface IndexProps {
  readonly catalog: Catalog
  readonly move: Move | undefined
  /** Called once an operator had it moved. */
  onMove(): void
}

/** Where the products of a catalog lie, how far they are on their way, and for an operator the way there. */
export function CatalogIndex({ catalog, move, onMove }: IndexProps) {
  const { organization } = useConsole()
  const [asks, setAsks] = useState(false)
  const { name, shards } = catalog
  const isMoving = move?.isOver === false
  return (
    <div class="where">
      <span>
        {shards === undefined ? 'shared' : `own, ${shards} ${shards === 1 ? 'shard' : 'shards'}`}
      </span>
      {isMoving && (
        <>
          <progress max={100} value={move.percent} aria-label={`Move of ${name}`} />
          <a href={formatRoute({ page: 'tasks' })}>moves, {Math.floor(move.percent)} %</a>
          <small>{move.message}</small>
        </>
      )}
      {move?.isOver && (
        <small class="problem">
          It was not moved: {move.message} <a href={formatRoute({ page: 'tasks' })}>The task</a>
        </small>
      )}
      {organization.role === 'operator' && !isMoving && (
        <button
          type="button"
          class="more"
          aria-label={`Move ${name}`}
          onClick={() => setAsks(true)}
        >
          Move
        </button>
      )}
      {asks && <MoveDialog catalog={catalog} onMove={onMove} onClose={() => setAsks(false)} />}
    </div>
  )
}

/** Shards of an index that Update Catalog takes. */
const MOST_SHARDS = 64

interface MoveProps extends Pick<IndexProps, 'catalog' | 'onMove'> {
  onClose(): void
}

function MoveDialog({ catalog: { name, shards = 0 }, onMove, onClose }: MoveProps) {
  const { connection } = useConsole()
  const deed = useDeed()
  const move = (form: HTMLFormElement) =>
    deed.run(async () => {
      const wanted = Number(valuesOf(form)('shards'))
      await updateCatalog(connection, { name, shards: wanted })
      if (wanted !== shards) onMove()
      onClose()
      return undefined
    })
  return (
    <Dialog title={`Move ${name}`} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void move(event.currentTarget)
        }}
      >
        <p>
          A large catalog has an index to itself, spread over shards. It is used while it moves;
          writes wait for a second or two at the end.
        </p>
        <Field
          label="Shards of its own index"
          hint="One for each 20 million products. 0: it lies in the index that catalogs share."
          problem={deed.at('shards')}
        >
          {(input) => (
            <input
              {...input}
              name="shards"
              type="number"
              min={0}
              max={MOST_SHARDS}
              required
              defaultValue={shards}
            />
          )}
        </Field>
        <Told deed={deed} fields={['shards']} />
        <button type="submit" class="button is-main" disabled={deed.busy}>
          Move it
        </button>
      </form>
    </Dialog>
  )
}
