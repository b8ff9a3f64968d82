import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'
import { Field } from './field.tsx'
import { ActionStatus, useAction } from './use-action.tsx'

interface DialogProps {
  readonly title: string
  onClose(): void
  readonly children: ComponentChildren
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={onClose}>
      <button
        type="button"
        class="close"
        aria-label="Close"
        onClick={() => dialog.current?.close()}
      >
        <Icon name="close" />
      </button>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  /** A text that has to be entered to confirm; if absent, a click is enough. */
  readonly typed?: string
  readonly verb: string
  readonly children: ComponentChildren
  work(): Promise<void>
  onClose(): void
}

/** Asks for confirmation of an action that cannot be undone. */
export function Confirm({ title, typed, verb, children, work, onClose }: ConfirmProps) {
  const [text, setText] = useState('')
  const action = useAction()
  const isSure = typed === undefined || text.trim() === typed
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void action.run(async () => {
            await work()
            onClose()
            return undefined
          })
        }}
      >
        {children}
        {typed !== undefined && (
          <Field label={`Type “${typed}” to confirm`}>
            {(input) => (
              <input
                {...input}
                value={text}
                autoComplete="off"
                spellcheck={false}
                onInput={({ currentTarget }) => setText(currentTarget.value)}
              />
            )}
          </Field>
        )}
        <ActionStatus action={action} />
        <div class="buttons">
          <button type="submit" class="button is-main" disabled={!isSure || action.busy}>
            {verb}
          </button>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}
