import type { ComponentChildren } from 'preact'

/** Explains an empty state, and what to do. */
export const Notice = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="notice">
    <h2>{title}</h2>
    {children}
  </div>
)

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
