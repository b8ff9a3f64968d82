import { signIn } from '../../shop/session.ts'
import { useConsole } from '../console.ts'
import { Table } from '../parts/table.tsx'
import { TaskCounts, TaskQuestion, useTask } from '../tasks/task-parts.tsx'
import type { Task } from '../types.ts'
import { labelOf } from './fields.ts'

/** The progress and the result of an import. */
export function ImportRun({ id, catalog }: { id: string; catalog: string }) {
  const { task, problem, change } = useTask(id)
  return (
    <section class="step" aria-labelledby="running">
      <h2 id="running">{task?.success ? 'Import complete' : `Import into ${catalog}`}</h2>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {task && (
        <>
          {task.success && <ToStorefront catalog={catalog} />}
          <TaskCounts task={task} />
          <TaskQuestion task={task} change={change} />
          {task.columns && <ColumnReport columns={task.columns} />}
        </>
      )}
    </section>
  )
}

/** Opens the catalog in the storefront, in this tab only. */
function ToStorefront({ catalog }: { catalog: string }) {
  const { connection } = useConsole()
  return (
    <p class="buttons">
      <a
        class="button is-main"
        href="./"
        onClick={() => signIn({ ...connection, catalog, isMember: true })}
      >
        Open in storefront
      </a>
    </p>
  )
}

const ColumnReport = ({ columns }: { columns: NonNullable<Task['columns']> }) => (
  <details class="more-options">
    <summary>Imported columns</summary>
    <Table label="Imported columns" heads={['Column', 'Imported as', 'Values#']}>
      {columns.map(({ column, heading, field, attribute, values }) => (
        <tr key={column}>
          <th scope="row">{heading}</th>
          <td>{field === null ? <span class="none">Skipped</span> : labelOf(field, attribute)}</td>
          <td class="is-amount">{values}</td>
        </tr>
      ))}
    </Table>
  </details>
)
