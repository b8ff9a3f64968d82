import { type Answer, deleteProducts, updateProducts } from 'aisle-client'
import { useState } from 'preact/hooks'
import { plural } from '../../ui/offers.ts'
import { useConsole } from '../console.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { ActionStatus, useAction } from '../parts/use-action.tsx'
import { TaskCounts, TaskQuestion, useTask } from '../tasks/task-parts.tsx'
import { changeOf, type FieldChange } from './bulk-change.ts'
import { BulkFields } from './bulk-fields.tsx'
import { describeQuery, type ProductQuery, searchOf } from './product-query.ts'

type DryRun = Answer<'updateProducts'>

interface BulkEditProps {
  readonly catalog: string
  /** The search whose results are changed. */
  readonly query: ProductQuery
  onClose(): void
}

/** Changes or deletes all results of a search, after a preview. */
export function BulkEdit({ catalog, query, onClose }: BulkEditProps) {
  const { connection } = useConsole()
  const action = useAction()
  const [mode, setMode] = useState<'update' | 'delete'>('update')
  const [changes, setChanges] = useState<readonly FieldChange[]>([{ field: 'category', text: '' }])
  const [dryRun, setDryRun] = useState<DryRun>()
  const [task, setTask] = useState<string>()
  const ask = (token?: string | null) => {
    const asked = { catalog, search: searchOf(query), ...(token ? { token } : {}) }
    return mode === 'delete'
      ? deleteProducts(connection, asked)
      : updateProducts(connection, { ...asked, product: changeOf(changes) })
  }
  const run = (token?: string | null) =>
    action.run(async () => {
      const answer = await ask(token)
      if (answer.taskId) setTask(answer.taskId)
      else setDryRun(answer)
      return undefined
    })
  // Any change makes the preview obsolete.
  const anew =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      setDryRun(undefined)
    }
  const verb = mode === 'delete' ? 'Delete' : 'Update'
  return (
    <Dialog title={describeQuery(query, catalog)} onClose={onClose}>
      {task ? (
        <Run id={task} />
      ) : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            void run(dryRun?.token)
          }}
        >
          <Field label="Action">
            {(input) => (
              <select
                {...input}
                value={mode}
                onChange={({ currentTarget }) =>
                  anew(setMode)(currentTarget.value === 'delete' ? 'delete' : 'update')
                }
              >
                <option value="update">Update fields</option>
                <option value="delete">Delete products</option>
              </select>
            )}
          </Field>
          {mode === 'update' && <BulkFields changes={changes} onChange={anew(setChanges)} />}
          {dryRun && <Found dryRun={dryRun} />}
          <ActionStatus action={action} />
          <button
            type="submit"
            class="button is-main"
            disabled={action.busy || dryRun?.total === 0}
          >
            {dryRun ? `${verb} ${plural(dryRun.total, 'product')}` : 'Preview products'}
          </button>
        </form>
      )}
    </Dialog>
  )
}

const Found = ({ dryRun: { total, sample } }: { dryRun: DryRun }) => (
  <div role="status">
    <p>
      <b>{plural(total, 'product')}</b>
      {total > sample.length ? ', including:' : ''}
    </p>
    <ul class="sample">
      {sample.map(({ id, name }) => (
        <li key={id}>
          {name ?? id} <small>{id}</small>
        </li>
      ))}
    </ul>
  </div>
)

function Run({ id }: { id: string }) {
  const { task, problem, change } = useTask(id)
  return (
    <>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {task && (
        <>
          <TaskCounts task={task} />
          <TaskQuestion task={task} change={change} />
        </>
      )}
    </>
  )
}
