import type { ComponentChildren } from 'preact'

interface SwitchProps {
  readonly on: boolean
  onChange(on: boolean): void
  /** Accessible name, if there is no visible label. */
  readonly label?: string
  readonly disabled?: boolean
  readonly class?: string
  readonly children?: ComponentChildren
}

/** A switch that takes effect immediately. */
export const Switch = ({ on, onChange, label, disabled = false, ...more }: SwitchProps) => (
  <label class={`switch ${more.class ?? ''}`}>
    <input
      type="checkbox"
      role="switch"
      aria-label={label}
      checked={on}
      aria-checked={on}
      disabled={disabled}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    {more.children}
  </label>
)
