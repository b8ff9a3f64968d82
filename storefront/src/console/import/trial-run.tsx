import { importData, validateExtension } from 'aisle-client'
import { useState } from 'preact/hooks'
import { useConsole } from '../console.ts'
import { ActionStatus, useAction } from '../parts/use-action.tsx'
import type { Trial } from '../types.ts'
import { importBody, type Plan, trialBody } from './request.ts'

interface TrialRunProps {
  readonly plan: Plan
  onStarted(taskId: string): void
}

const LISTED = 20

/** Tests the first rows without writing anything, and starts the import. */
export function TrialRun({ plan, onStarted }: TrialRunProps) {
  const { connection } = useConsole()
  const action = useAction()
  const [trial, setTrial] = useState<Trial>()
  const attempt = () =>
    action.run(async () => {
      setTrial(await validateExtension(connection, { id: 'file', ...trialBody(plan) }))
      return undefined
    })
  const start = () =>
    action.run(async () => {
      const { taskId } = await importData(connection, importBody(plan))
      onStarted(taskId!)
      return undefined
    })
  return (
    <section class="step" aria-labelledby="run">
      <h2 id="run">Import into {plan.catalog}</h2>
      <div class="buttons">
        <button type="button" class="button" disabled={action.busy} onClick={attempt}>
          Test first 100 rows
        </button>
        <button type="button" class="button is-main" disabled={action.busy} onClick={start}>
          Start import
        </button>
      </div>
      <ActionStatus action={action} />
      {trial && <TrialResult trial={trial} />}
    </section>
  )
}

function TrialResult({ trial: { problems, preview } }: { trial: Trial }) {
  return (
    <div class="trial" role="status">
      {problems.map(({ field, message }) => (
        <p key={field + message} class="problem">
          {field ? `${field}: ` : ''}
          {message}
        </p>
      ))}
      {preview && (
        <>
          <p>
            Nothing was written. Of the first rows, <b>{preview.created}</b> would create a product,{' '}
            <b>{preview.updated}</b> would update one, <b>{preview.unchanged}</b> would change
            nothing and <b>{preview.rejected}</b> would be rejected.
          </p>
          {preview.rejects.length > 0 && (
            <ul class="rejects">
              {preview.rejects.slice(0, LISTED).map(({ line, reason }) => (
                <li key={line}>
                  <span class="amount">Line {line}</span> {reason}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  )
}
