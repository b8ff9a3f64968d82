import { AisleError } from 'aisle-client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** Runs an action and shows its outcome. */
export function useTold() {
  const [said, setSaid] = useState<{ failed: boolean; text: ComponentChildren }>()
  const tell = async (work: () => Promise<ComponentChildren>): Promise<void> => {
    try {
      setSaid({ failed: false, text: await work() })
    } catch (error) {
      const text = error instanceof AisleError ? error.message : 'Something went wrong. Try again.'
      setSaid({ failed: true, text })
    }
  }
  const told = said?.text ? (
    <p class={said.failed ? 'told problem' : 'told'} role={said.failed ? 'alert' : 'status'}>
      {said.text}
    </p>
  ) : null
  return { told, tell }
}
