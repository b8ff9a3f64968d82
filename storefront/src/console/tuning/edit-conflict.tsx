import { PART_TITLES, type Part } from './settings.ts'

interface EditConflictProps {
  readonly parts: readonly Part[]
  /** Discards the user's own changes to these parts. */
  onTheirs(): void
  /** Overwrites the other user's changes. */
  onMine(): void
}

/** Reports that another user changed the same parts, and asks whose changes to keep. */
export function EditConflict({ parts, onTheirs, onMine }: EditConflictProps) {
  const names = parts.map((part) => PART_TITLES[part].toLowerCase()).join(', ')
  return (
    <div class="edit-conflict" role="alert">
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
