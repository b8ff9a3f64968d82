import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'

interface DropFileProps {
  onFile(file: File): void
  readonly isSending: boolean
  readonly name: string | undefined
  readonly busy: boolean
}

/** Accepts a file that is dropped or selected. */
export function DropFile({ onFile, isSending, name, busy }: DropFileProps) {
  const [over, setOver] = useState(false)
  const [problem, setProblem] = useState('')
  useEffect(stayOnPage, [])
  const take = (file: File | undefined, refusal = '') => {
    if (busy) return
    setProblem(refusal)
    if (file && !refusal) onFile(file)
  }
  return (
    <section class="drop-box" aria-label="File">
      <label
        class={over ? 'drop is-over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          const given = event.dataTransfer
          if (given) take(given.files[0], refusalOf(given))
        }}
      >
        <Icon name="file" />
        <span class="drop-text">
          <strong>{name ?? 'Drop a file here or click to browse'}</strong>
          <small>
            {name
              ? 'Drop or choose another file to start over.'
              : 'CSV, XLSX, JSONL, Parquet, BMEcat, CIF, Google Merchant, and exports from Shopify, WooCommerce, Magento and others. Compressed files are supported.'}
          </small>
        </span>
        <input
          type="file"
          class="unseen"
          disabled={busy}
          onChange={({ currentTarget }) => {
            take(currentTarget.files?.[0])
            currentTarget.value = ''
          }}
        />
      </label>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {isSending && (
        <p class="sending" role="status">
          <progress aria-label="Uploading" />
          Uploading the file and reading the first rows…
        </p>
      )}
    </section>
  )
}

/** Why what was dropped cannot be imported; empty if it can. */
function refusalOf({ files, items }: DataTransfer): string {
  if (files.length === 0) return 'That was not a file. Drop a file from your computer.'
  if (files.length > 1) {
    return `You dropped ${files.length} files, but only one can be imported at a time. Drop one file, or combine them first.`
  }
  return items[0]?.webkitGetAsEntry()?.isDirectory
    ? 'That was a folder. Drop one file from it.'
    : ''
}

/** Keeps the browser from opening a file that is dropped beside the box, which would lose the import. */
function stayOnPage(): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const stay = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  }
  for (const type of ['dragover', 'drop'] as const) addEventListener(type, stay, { signal })
  return () => stop.abort()
}
