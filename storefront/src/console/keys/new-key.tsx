import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'

interface NewKeyProps {
  /** What kind of secret it is. */
  readonly what?: string
  readonly secret: string
  onClose(): void
}

/** Shows a secret, which cannot be shown again. */
export function NewKey({ what = 'API key', secret, onClose }: NewKeyProps) {
  const [copied, setCopied] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => setCopied('Copied.'),
      () => setCopied('Couldn’t copy. Select the text and copy it manually.'),
    )
  return (
    <Dialog title={`New ${what}`} onClose={onClose}>
      <p>Copy it now. It won’t be shown again.</p>
      <p class="secret">
        <code>{secret}</code>
      </p>
      <p class="buttons">
        <button type="button" class="button is-main" onClick={copy}>
          Copy {what}
        </button>
        <span role="status">{copied}</span>
      </p>
    </Dialog>
  )
}
