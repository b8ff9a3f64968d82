import { startExperiment } from 'aisle-client'
import { useConsole, useGo } from '../console.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field, valuesOf } from '../parts/field.tsx'
import { ActionStatus, useAction } from '../parts/use-action.tsx'
import type { Settings } from '../tuning/settings.ts'

interface StartProps {
  readonly catalog: string
  /** The settings under test; all others are as saved. */
  readonly variant: Partial<Settings>
  /** The saved settings that the variant is based on. */
  readonly settings: Settings
  onClose(): void
}

/** Starts an experiment: a share of the visitors gets settings that are not saved. */
export function StartExperiment({ catalog, variant, settings, onClose }: StartProps) {
  const { connection } = useConsole()
  const go = useGo()
  const action = useAction()
  const { experiment, version } = settings
  const start = (form: HTMLFormElement) =>
    action.run(async () => {
      const value = valuesOf(form)
      const share = Number(value('share')) / 100
      const body = { catalog, name: value('name'), share, variant }
      await startExperiment(connection, body, { ifMatch: version })
      go({ page: 'experiments', catalog })
      return undefined
    })
  return (
    <Dialog title="Start experiment" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void start(event.currentTarget)
        }}
      >
        <p>
          A share of visitors searches with your changes, the rest with the saved settings. You can
          then compare the results.
        </p>
        {experiment && (
          <p class="warning">This ends “{experiment.name}”, which is running in this catalog.</p>
        )}
        <Field label="Name" hint="Must not have been used before." problem={action.at('name')}>
          {(input) => <input {...input} name="name" required maxLength={100} autoComplete="off" />}
        </Field>
        <Field label="Share of visitors (%)" problem={action.at('share')}>
          {(input) => (
            <input
              {...input}
              name="share"
              type="number"
              min="1"
              max="99"
              required
              defaultValue="50"
            />
          )}
        </Field>
        <ActionStatus action={action} fields={['name', 'share']} />
        <button type="submit" class="button is-main" disabled={action.busy}>
          Start experiment
        </button>
      </form>
    </Dialog>
  )
}
