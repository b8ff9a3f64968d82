import { useState } from 'preact/hooks'
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
  const first = (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (file && !busy) onFile(file)
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
          first(event.dataTransfer?.files)
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
            first(currentTarget.files)
            currentTarget.value = ''
          }}
        />
      </label>
      {isSending && (
        <p class="sending" role="status">
          <progress aria-label="Uploading" />
          Uploading the file and reading the first rows…
        </p>
      )}
    </section>
  )
}
