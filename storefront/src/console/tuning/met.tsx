import { PART_TITLES, type Part } from './settings.ts'

interface MetProps {
  readonly parts: readonly Part[]
  /** Gives up what is changed of these parts. */
  onTheirs(): void
  /** Saves over what somebody else saved. */
  onMine(): void
}

/** Says that somebody else saved the same parts meanwhile, and asks whose are to stay. */
export function Met({ parts, onTheirs, onMine }: MetProps) {
  const names = parts.map((part) => PART_TITLES[part].toLowerCase()).join(', ')
  return (
    <div class="met" role="alert">
      <p class="problem">Someone else has changed {names}. Your changes are not saved yet.</p>
      <p class="buttons">
        <button type="button" class="button" onClick={onTheirs}>
          Discard my changes
        </button>
        <button type="button" class="button" onClick={onMine}>
          Overwrite their changes
        </button>
      </p>
    </div>
  )
}
