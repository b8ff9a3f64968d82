import { plural } from '../../ui/offers.ts'
import type { Sample } from '../types.ts'
import { ColumnTable } from './column-table.tsx'
import type { Choice, Column } from './columns.ts'
import { OptionFields } from './option-fields.tsx'
import type { Options } from './request.ts'

interface FilePreviewProps {
  readonly sample: Sample
  readonly columns: readonly Column[]
  readonly choices: readonly Choice[]
  readonly options: Options
  onChoices(choices: readonly Choice[]): void
  onOptions(options: Options): void
  /** Reads the file again with these options. */
  onRead(options: Options): void
}

const SIGNS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'pipes',
}

/** A preview of the file, with the mapping of each column. */
export function FilePreview({ sample, columns, choices, options, ...told }: FilePreviewProps) {
  const { detected, becomes, mappings, warnings = [] } = sample
  const system = detected?.system
  const [byHand, hasTable] = [!system, Boolean(becomes) || mappings.length > 0]
  return (
    <section class="step" aria-labelledby="look">
      <h2 id="look">Review the file</h2>
      <ul class="facts">
        {system && <li class="is-good">{system} detected</li>}
        {detected?.delimiter && (
          <li>Separated by {SIGNS[detected.delimiter] ?? `“${detected.delimiter}”`}</li>
        )}
        {detected?.encoding && <li>{detected.encoding.toUpperCase()}</li>}
        {detected?.headerRow ? <li>Header in line {detected.headerRow}</li> : null}
        <li>{plural(columns.length, 'column')}</li>
      </ul>
      {warnings.map((warning) => (
        <p key={warning} class="warning">
          {warning}
        </p>
      ))}
      {system && (
        <p>
          {system} files need no mapping: their columns, variants and images are recognized. Other
          columns become attributes.
        </p>
      )}
      <ColumnTable
        columns={columns}
        choices={choices}
        fixed={!byHand || !hasTable}
        onChoices={told.onChoices}
      />
      <OptionFields
        key={JSON.stringify(detected)}
        options={options}
        header={detected?.header ?? true}
        onOptions={told.onOptions}
        onRead={told.onRead}
      />
    </section>
  )
}
