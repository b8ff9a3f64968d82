import { AisleError, getImportSample, uploadFile } from 'aisle-client'
import { useState } from 'preact/hooks'
import { useConsole } from '../console.ts'
import { Page, useCatalog } from '../parts/page.tsx'
import { ActionStatus, useAction } from '../parts/use-action.tsx'
import type { Sample } from '../types.ts'
import { type Choice, columnsOf, mappingsOf } from './columns.ts'
import { DropFile } from './drop-file.tsx'
import { FilePreview } from './file-preview.tsx'
import { ImportRun } from './import-run.tsx'
import { AS_IT_IS, type Options, sampleBody } from './request.ts'
import { Target } from './target.tsx'
import { TrialRun } from './trial-run.tsx'

/** An uploaded file and its options. */
interface Opened {
  readonly name: string
  readonly url: string
  readonly sample: Sample
}

/** Imports a file in four steps: preview, map columns, test, run. */
export function ImportPage() {
  const { connection } = useConsole()
  const catalog = useCatalog() ?? ''
  const action = useAction()
  const [isSending, setSending] = useState(false)
  const [opened, setOpened] = useState<Opened>()
  const [options, setOptions] = useState<Options>(AS_IT_IS)
  const [choices, setChoices] = useState<readonly Choice[]>([])
  const [taskId, setTaskId] = useState<string>()

  const look = async (name: string, url: string, read: Options) => {
    const sample = await getImportSample(connection, { id: 'file', ...sampleBody(url, read) })
    if (!sample.success) throw new AisleError(400, sample.error ?? 'The file could not be read.')
    setOpened({ name, url, sample })
    setChoices(columnsOf(sample).map(({ given }) => given))
    setTaskId(undefined)
  }
  const take = (file: File) => {
    setOpened(undefined)
    setOptions(AS_IT_IS)
    void action.run(async () => {
      setSending(true)
      try {
        const { url } = await uploadFile(connection, { name: file.name.slice(-200), body: file })
        await look(file.name, url, AS_IT_IS)
      } finally {
        setSending(false)
      }
      return undefined
    })
  }
  const readAgain = (next: Options) => {
    setOptions(next)
    if (!opened) return
    void action.run(async () => {
      await look(opened.name, opened.url, next)
      return undefined
    })
  }
  const columns = opened ? columnsOf(opened.sample) : []
  const mappings = opened ? mappingsOf(columns, choices) : []
  const plan = opened && { fileUrl: opened.url, catalog, options, mappings }
  return (
    <Page
      title="Import"
      lead="Turn a product file, with or without prices, into a searchable catalog. Nothing is written until you start the import."
    >
      <DropFile onFile={take} isSending={isSending} name={opened?.name} busy={action.busy} />
      <ActionStatus action={action} />
      {opened && plan && (
        <>
          <FilePreview
            sample={opened.sample}
            columns={columns}
            choices={choices}
            options={options}
            onChoices={(next) => {
              setChoices(next)
              setTaskId(undefined)
            }}
            onOptions={(next) => {
              setOptions(next)
              setTaskId(undefined)
            }}
            onRead={readAgain}
          />
          <Target catalog={catalog} />
          {catalog && !taskId && (
            <TrialRun key={JSON.stringify(plan)} plan={plan} onStarted={setTaskId} />
          )}
          {taskId && <ImportRun key={taskId} id={taskId} catalog={catalog} />}
        </>
      )}
    </Page>
  )
}
