import { updateCatalog } from 'aisle-client'
import { useState } from 'preact/hooks'
import { plural } from '../../ui/offers.ts'
import { useConsole } from '../console.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field, valuesOf } from '../parts/field.tsx'
import { ActionStatus, useAction } from '../parts/use-action.tsx'
import { formatRoute } from '../route.ts'
import type { Catalog } from '../types.ts'
import type { Move } from './moves.ts'

interface IndexProps {
  readonly catalog: Catalog
  readonly move: Move | undefined
  /** Called after an operator started a move. */
  onMove(): void
}

/** The index of a catalog and the progress of its move; operators can start a move here. */
export function CatalogIndex({ catalog, move, onMove }: IndexProps) {
  const { organization } = useConsole()
  const [asks, setAsks] = useState(false)
  const { name, shards } = catalog
  const isMoving = move?.isOver === false
  return (
    <div class="where">
      <span>{shards === undefined ? 'Shared' : `Dedicated, ${plural(shards, 'shard')}`}</span>
      {isMoving && (
        <>
          <progress max={100} value={move.percent} aria-label={`Moving ${name}`} />
          <a href={formatRoute({ page: 'tasks' })}>Moving, {Math.floor(move.percent)}%</a>
          <small>{move.message}</small>
        </>
      )}
      {move?.isOver && (
        <small class="problem">
          Move failed: {move.message} <a href={formatRoute({ page: 'tasks' })}>View task</a>
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

/** The most shards that Update Catalog accepts for an index. */
const MOST_SHARDS = 64

interface MoveProps extends Pick<IndexProps, 'catalog' | 'onMove'> {
  onClose(): void
}

function MoveDialog({ catalog: { name, shards = 0 }, onMove, onClose }: MoveProps) {
  const { connection } = useConsole()
  const action = useAction()
  const move = (form: HTMLFormElement) =>
    action.run(async () => {
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
          Gives a large catalog a dedicated index, split into shards. The catalog stays available
          during the move; writes pause for a second or two at the end.
        </p>
        <Field
          label="Dedicated shards"
          hint="One per 20 million products. 0 uses the shared index."
          problem={action.at('shards')}
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
        <ActionStatus action={action} fields={['shards']} />
        <button type="submit" class="button is-main" disabled={action.busy}>
          Move catalog
        </button>
      </form>
    </Dialog>
  )
}
