import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'

interface NewKeyProps {
  /** What it is called. */
  readonly what?: string
  readonly secret: string
  onClose(): void
}

/** Shows a secret, this once. */
export function NewKey({ what = 'key', secret, onClose }: NewKeyProps) {
  const [copied, setCopied] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => setCopied('It is copied.'),
      () => setCopied('It could not be copied: mark it and copy it by hand.'),
    )
  return (
    <Dialog title={`The new ${what}`} onClose={onClose}>
      <p>Keep it now: it is shown this once and cannot be read again.</p>
      <p class="secret">
        <code>{secret}</code>
      </p>
      <p class="buttons">
        <button type="button" class="button is-main" onClick={copy}>
          Copy the {what}
        </button>
        <span role="status">{copied}</span>
      </p>
    </Dialog>
  )
}
