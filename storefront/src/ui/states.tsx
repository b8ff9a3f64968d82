import type { ComponentChildren } from 'preact'

/** Says why there is nothing here, and what to do. */
export const Notice = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="notice">
    <h2>{title}</h2>
    {children}
  </div>
)

export const Unreachable = () => (
  <main class="alone">
    <Notice title="The shop does not open">
      <p>The service does not answer, or is still starting.</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Try again
      </button>
    </Notice>
  </main>
)
