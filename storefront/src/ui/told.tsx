import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { messageOf } from '../shop/failure.ts'

/** Runs an action and shows its outcome. */
export function useTold() {
  const [said, setSaid] = useState<{ failed: boolean; text: ComponentChildren }>()
  const tell = async (work: () => Promise<ComponentChildren>): Promise<void> => {
    try {
      setSaid({ failed: false, text: await work() })
    } catch (error) {
      setSaid({ failed: true, text: messageOf(error) })
    }
  }
  const told = said?.text ? (
    <p class={said.failed ? 'told problem' : 'told'} role={said.failed ? 'alert' : 'status'}>
      {said.text}
    </p>
  ) : null
  return { told, tell }
}
