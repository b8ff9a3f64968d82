import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** Explains an empty state, and what to do. */
export const Notice = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="notice">
    <h2>{title}</h2>
    {children}
  </div>
)

/** Without the pulse of other waiting parts, in which text would be too faint to read. */
export const Loading = () => (
  <p class="loading" role="status">
    Loading…
  </p>
)

interface FailedProps {
  readonly title: string
  readonly problem: string
  retry(): Promise<void> | void
}

/** Says what could not be loaded and why, and loads it again on request. */
export function Failed({ title, problem, retry }: FailedProps) {
  const [busy, setBusy] = useState(false)
  const isPressed = useRef(false)
  // The button that had the focus goes away once the retry succeeds.
  useEffect(
    () => () => {
      if (isPressed.current) document.getElementById('main')?.focus({ preventScroll: true })
    },
    [],
  )
  const press = async () => {
    if (busy) return
    isPressed.current = true
    setBusy(true)
    await retry()
    setBusy(false)
  }
  return (
    <Notice title={title}>
      <p role="alert">{problem}</p>
      <button type="button" class="button" aria-busy={busy} onClick={press}>
        {busy ? 'Trying again…' : 'Try again'}
      </button>
    </Notice>
  )
}

export const Unreachable = () => (
  <main class="alone">
    <Notice title="We couldn’t load the store">
      <p>The service isn’t responding, or is still starting up.</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Try again
      </button>
    </Notice>
  </main>
)
