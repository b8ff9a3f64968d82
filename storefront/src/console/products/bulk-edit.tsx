import { type Answer, deleteProducts, updateProducts } from 'aisle-client'
import { useState } from 'preact/hooks'
import { plural } from '../../ui/offers.ts'
import { useConsole } from '../console.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { ActionStatus, useAction } from '../parts/use-deed.tsx'
import { TaskCounts, TaskQuestion, useTask } from '../tasks/task-parts.tsx'
import { changeOf, type FieldChange } from './bulk-change.ts'
import { BulkFields } from './bulk-fields.tsx'
import { saidOf, searchOf, type Wanted } from './wanted.ts'

type Look = Answer<'updateProducts'>

interface BulkEditProps {
  readonly catalog: string
  /** The search whose results are changed. */
  readonly wanted: Wanted
  onClose(): void
}

/** Changes or deletes all results of a search, after a preview. */
export function BulkEdit({ catalog, wanted, onClose }: BulkEditProps) {
  const { connection } = useConsole()
  const deed = useAction()
  const [action, setAction] = useState<'update' | 'delete'>('update')
  const [changes, setChanges] = useState<readonly FieldChange[]>([{ field: 'category', text: '' }])
  const [look, setLook] = useState<Look>()
  const [task, setTask] = useState<string>()
  const ask = (token?: string | null) => {
    const asked = { catalog, search: searchOf(wanted), ...(token ? { token } : {}) }
    return action === 'delete'
      ? deleteProducts(connection, asked)
      : updateProducts(connection, { ...asked, product: changeOf(changes) })
  }
  const run = (token?: string | null) =>
    deed.run(async () => {
      const answer = await ask(token)
      if (answer.taskId) setTask(answer.taskId)
      else setLook(answer)
      return undefined
    })
  // Any change makes the preview obsolete.
  const anew =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      setLook(undefined)
    }
  const verb = action === 'delete' ? 'Delete' : 'Update'
  return (
    <Dialog title={saidOf(wanted, catalog)} onClose={onClose}>
      {task ? (
        <Run id={task} />
      ) : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            void run(look?.token)
          }}
        >
          <Field label="Action">
            {(input) => (
              <select
                {...input}
                value={action}
                onChange={({ currentTarget }) =>
                  anew(setAction)(currentTarget.value === 'delete' ? 'delete' : 'update')
                }
              >
                <option value="update">Update fields</option>
                <option value="delete">Delete products</option>
              </select>
            )}
          </Field>
          {action === 'update' && <BulkFields changes={changes} onChange={anew(setChanges)} />}
          {look && <Found look={look} />}
          <ActionStatus deed={deed} />
          <button type="submit" class="button is-main" disabled={deed.busy || look?.total === 0}>
            {look ? `${verb} ${plural(look.total, 'product')}` : 'Preview products'}
          </button>
        </form>
      )}
    </Dialog>
  )
}

const Found = ({ look: { total, sample } }: { look: Look }) => (
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
