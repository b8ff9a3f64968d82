import { Table } from '../parts/table.tsx'
import { type Choice, type Column, choiceOf, isSame } from './columns.ts'
import { isNamed, labelOf, NAMED_FIELDS, OFFER_FIELDS, PRODUCT_FIELDS } from './fields.ts'

interface ColumnTableProps {
  readonly columns: readonly Column[]
  readonly choices: readonly Choice[]
  /** Whether the format itself defines the columns. */
  readonly fixed: boolean
  onChoices(choices: readonly Choice[]): void
}

/** Most columns shown, since more slow down the page; the others keep their automatic mapping. */
const SHOWN = 200
const SHOWN_VALUES = 3

export function ColumnTable({ columns, choices, fixed, onChoices }: ColumnTableProps) {
  const choose = (index: number, choice: Choice) =>
    onChoices(choices.map((one, at) => (at === index ? choice : one)))
  const more = columns.length - SHOWN
  return (
    <>
      <Table label="File columns" heads={['Column', 'Sample values', 'Import as', 'Match']}>
        {columns.slice(0, SHOWN).map((column) => (
          <tr key={column.index}>
            <th scope="row">{column.heading || `Column ${column.index + 1}`}</th>
            <td class="values">
              {column.values
                .filter((value) => value !== '')
                .slice(0, SHOWN_VALUES)
                .map((value, at) => (
                  <span key={at}>{value}</span>
                ))}
            </td>
            {fixed ? (
              <FixedUse {...column} />
            ) : (
              <Use
                column={column}
                choice={choices[column.index] ?? column.given}
                onChoice={(choice) => choose(column.index, choice)}
              />
            )}
          </tr>
        ))}
      </Table>
      {more > 0 && <p class="none">{more} more columns not shown.</p>}
    </>
  )
}

const FixedUse = ({ given: { field, attribute }, heading }: Column) => (
  <>
    <td>{field === null ? <span class="none">Skipped</span> : labelOf(field, attribute)}</td>
    <td class="none">{field !== null && field !== heading ? 'Matched by heading' : ''}</td>
  </>
)

interface UseProps {
  readonly column: Column
  readonly choice: Choice
  onChoice(choice: Choice): void
}

const options = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([field, label]) => (
    <option key={field} value={field}>
      {label}
    </option>
  ))

function Use({ column, choice, onChoice }: UseProps) {
  const name = column.heading || `Column ${column.index + 1}`
  const { field, attribute } = choice
  return (
    <>
      <td>
        <div class="use">
          <select
            aria-label={`Import ${name} as`}
            value={field ?? ''}
            onChange={({ currentTarget }) =>
              onChoice(choiceOf(currentTarget.value, column, choice))
            }
          >
            <option value="">Skip this column</option>
            <optgroup label="Product">{options(PRODUCT_FIELDS)}</optgroup>
            <optgroup label="Vendor offer">{options(OFFER_FIELDS)}</optgroup>
            <optgroup label="Named fields">{options(NAMED_FIELDS)}</optgroup>
          </select>
          {field !== null && isNamed(field) && (
            <input
              aria-label={`Field name for ${name}`}
              value={attribute ?? ''}
              maxLength={200}
              onInput={({ currentTarget }) => onChoice({ field, attribute: currentTarget.value })}
            />
          )}
        </div>
      </td>
      <td>
        <Why column={column} choice={choice} onChoice={onChoice} />
      </td>
    </>
  )
}

const percent = (share: number): string => `${Math.round(share * 100)}%`

function Why({ column: { given, confidence, perhaps }, choice, onChoice }: UseProps) {
  if (!isSame(given, choice)) {
    return (
      <button type="button" class="more" onClick={() => onChoice(given)}>
        Reset
      </button>
    )
  }
  if (perhaps) {
    return (
      <button type="button" class="more is-guess" onClick={() => onChoice(perhaps)}>
        Use suggestion: {labelOf(perhaps.field ?? '', perhaps.attribute)} (
        {percent(perhaps.confidence)})
      </button>
    )
  }
  if (confidence !== null) {
    return (
      <span class="is-guess">
        {confidence < 1 ? `Guessed (${percent(confidence)})` : 'Recognized'}
      </span>
    )
  }
  return <span class="none">{given.field === 'attribute' ? 'No matching field' : 'Matched'}</span>
}
