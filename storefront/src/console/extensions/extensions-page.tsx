import {
  getAvailableExtensions,
  getInstalledExtensions,
  runImportExtension,
  uninstallExtension,
  updateInstalledExtension,
} from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { Switch } from '../../ui/switch.tsx'
import { useConsole } from '../console.ts'
import { Confirm, Dialog } from '../parts/dialog.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { ActionStatus, useAction } from '../parts/use-action.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import { InstallForm, toChange, toInstall } from './install-form.tsx'
import { Runs } from './runs.tsx'
import { type Available, type Installed, KINDS } from './types.ts'

/** Extensions: systems that supply products, receive them, or answer queries about them. */
export function ExtensionsPage() {
  const { connection } = useConsole()
  const [going, setGoing] = useState<Installed>()
  const [read, setRead] = useState<Installed>()
  const [chosen, setChosen] = useState<Available>()
  const [changing, setChanging] = useState<Installed>()
  const load = useCallback(
    async (signal: AbortSignal) => {
      const [available, installed] = await Promise.all([
        getAvailableExtensions(connection, {}, { signal }),
        getInstalledExtensions(connection, {}, { signal }),
      ])
      return { available, installed }
    },
    [connection],
  )
  const loaded = useLoaded(load)
  const { reload } = loaded
  return (
    <Page
      title="Extensions"
      lead="Connect other systems to import, export, price and recommend products."
    >
      <Shown of={loaded}>
        {({ available, installed }) => (
          <>
            <Table
              label="Installed extensions"
              heads={['Extension', 'Type', 'Catalog', 'Next run', 'Enabled', 'Actions']}
            >
              {installed.map((one) => (
                <Row
                  key={one.id}
                  installed={one}
                  reload={reload}
                  onRead={() => setRead(one)}
                  onChange={() => setChanging(one)}
                  onRemove={() => setGoing(one)}
                />
              ))}
            </Table>
            <section class="step" aria-labelledby="install">
              <h2 id="install">Available extensions</h2>
              <ul class="extensions">
                {available.map((one) => (
                  <li key={one.id}>
                    <h3>{one.name}</h3>
                    <p class="none">{KINDS[one.category]}</p>
                    <p>{one.description}</p>
                    <button
                      type="button"
                      class="button"
                      aria-label={`Install ${one.name}`}
                      onClick={() => setChosen(one)}
                    >
                      Install
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          </>
        )}
      </Shown>
      {chosen && (
        <Dialog title={`Install ${chosen.name}`} onClose={() => setChosen(undefined)}>
          <InstallForm
            asked={toInstall(chosen)}
            onDone={async () => {
              setChosen(undefined)
              await reload()
            }}
          />
        </Dialog>
      )}
      {changing && (
        <Dialog
          title={`Edit ${changing.nickname ?? changing.name}`}
          onClose={() => setChanging(undefined)}
        >
          <InstallForm
            asked={toChange(changing)}
            onDone={async () => {
              setChanging(undefined)
              await reload()
            }}
          />
        </Dialog>
      )}
      {read && (
        <Dialog
          title={`History of ${read.nickname ?? read.name}`}
          onClose={() => setRead(undefined)}
        >
          <Runs id={read.id} />
        </Dialog>
      )}
      {going && (
        <Confirm
          title={`Uninstall ${going.nickname ?? going.name}`}
          verb="Uninstall"
          onClose={() => setGoing(undefined)}
          work={async () => {
            await uninstallExtension(connection, { id: going.id })
            await reload()
          }}
        >
          <p>Uninstalling removes its schedule and settings. Imported products stay.</p>
        </Confirm>
      )}
    </Page>
  )
}

interface RowProps {
  readonly installed: Installed
  reload(): Promise<void>
  onRead(): void
  onChange(): void
  onRemove(): void
}

function Row({ installed, reload, onRead, onChange, onRemove }: RowProps) {
  const { connection } = useConsole()
  const action = useAction()
  const { id, name, nickname, extension, extensionType, enabled, catalog } = installed
  const { schedule, nextRun, ready } = installed
  const shown = nickname ?? name
  // A built-in extension has the id of its extension, and cannot be removed.
  const isOwn = id !== extension
  const setEnabled = (on: boolean) =>
    action.run(async () => {
      await updateInstalledExtension(connection, { id, enabled: on })
      await reload()
      return undefined
    })
  const run = () =>
    action.run(async () => {
      await runImportExtension(connection, { id })
      return 'Started. See Tasks for progress.'
    })
  return (
    <tr>
      <th scope="row">
        {shown}
        {shown !== name && <small>{name}</small>}
        {!ready && <small class="problem">No longer available</small>}
        <ActionStatus action={action} />
      </th>
      <td>{KINDS[extensionType]}</td>
      <td>{catalog}</td>
      <td>
        {nextRun ? new Date(nextRun).toLocaleString() : ''}
        {schedule && <small>{schedule}</small>}
      </td>
      <td>
        {isOwn && (
          <Switch
            label={`${shown} is enabled`}
            on={action.busy ? !enabled : enabled}
            disabled={action.busy}
            onChange={setEnabled}
          />
        )}
      </td>
      <td>
        <div class="buttons">
          {isOwn && extensionType === 'import' && (
            <button
              type="button"
              class="button"
              disabled={action.busy}
              aria-label={`Run now: ${shown}`}
              onClick={run}
            >
              Run now
            </button>
          )}
          <button type="button" class="button" aria-label={`History of ${shown}`} onClick={onRead}>
            History
          </button>
          {isOwn && ready && (
            <button type="button" class="button" aria-label={`Edit ${shown}`} onClick={onChange}>
              Edit
            </button>
          )}
          {isOwn && (
            <button
              type="button"
              class="button"
              aria-label={`Uninstall ${shown}`}
              onClick={onRemove}
            >
              Uninstall
            </button>
          )}
        </div>
      </td>
    </tr>
  )
}
