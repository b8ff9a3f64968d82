import { Icon } from '../../ui/icons.tsx'
import { BULK_FIELDS, type BulkField, type FieldChange } from './bulk-change.ts'

interface BulkFieldsProps {
  readonly changes: readonly FieldChange[]
  onChange(changes: readonly FieldChange[]): void
}

const ALL = Object.entries(BULK_FIELDS) as [BulkField, string][]

/** The fields to change, each once, with their new values. */
export function BulkFields({ changes, onChange }: BulkFieldsProps) {
  const isFree = (field: BulkField) => !changes.some((one) => one.field === field)
  const set = (index: number, change: FieldChange) =>
    onChange(changes.map((one, at) => (at === index ? change : one)))
  const [next] = ALL.find(([field]) => isFree(field)) ?? []
  return (
    <fieldset class="field pairs">
      <legend>Fields to update</legend>
      {changes.map((change, at) => (
        <div key={change.field} class="cell">
          <select
            aria-label={`Field ${at + 1}`}
            value={change.field}
            onChange={({ currentTarget }) =>
              set(at, { field: currentTarget.value as BulkField, text: '' })
            }
          >
            {ALL.filter(([field]) => field === change.field || isFree(field)).map(
              ([field, label]) => (
                <option key={field} value={field}>
                  {label}
                </option>
              ),
            )}
          </select>
          <Value change={change} onText={(text) => set(at, { ...change, text })} />
          <button
            type="button"
            class="close"
            aria-label={`Remove ${BULK_FIELDS[change.field]}`}
            onClick={() => onChange(changes.filter((one) => one !== change))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      {next && (
        <button
          type="button"
          class="more"
          onClick={() => onChange([...changes, { field: next, text: '' }])}
        >
          Add field
        </button>
      )}
      <small>Empty values clear the field.</small>
    </fieldset>
  )
}

interface ValueProps {
  readonly change: FieldChange
  onText(text: string): void
}

const Value = ({ change: { field, text }, onText }: ValueProps) =>
  field === 'hidden' ? (
    <select
      aria-label={BULK_FIELDS[field]}
      value={text || 'false'}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
    >
      <option value="true">Yes</option>
      <option value="false">No</option>
    </select>
  ) : (
    <input
      aria-label={BULK_FIELDS[field]}
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  )
