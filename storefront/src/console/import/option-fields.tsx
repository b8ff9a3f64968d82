import { Switch } from '../../ui/switch.tsx'
import { Field } from '../parts/field.tsx'
import type { Options } from './request.ts'

interface OptionFieldsProps {
  readonly options: Options
  /** Whether the first row was detected as headings. */
  readonly header: boolean
  onOptions(options: Options): void
  onRead(options: Options): void
}

type Flag = 'createProducts' | 'updateMetadata' | 'fullFile'

const FLAGS: readonly (readonly [Flag, string, string])[] = [
  ['createProducts', 'Create new products', 'If off, rows of unknown products are rejected.'],
  ['updateMetadata', 'Update existing products', 'If off, only prices and stock are updated.'],
  [
    'fullFile',
    'File contains all offers of this vendor',
    'Offers missing from the file are removed. Requires a default vendor.',
  ],
]

/** Rarely used options, collapsed by default. */
export function OptionFields({ options, header, onOptions, onRead }: OptionFieldsProps) {
  return (
    <details class="more-options">
      <summary>Advanced options</summary>
      <div class="columns">
        <Field
          label="Default vendor"
          hint="For rows without a vendor. If empty, the catalog’s vendor or your organization."
        >
          {(input) => (
            <input
              {...input}
              value={options.vendor}
              maxLength={200}
              onChange={({ currentTarget }) =>
                onOptions({ ...options, vendor: currentTarget.value.trim() })
              }
            />
          )}
        </Field>
        <Field label="Worksheet" hint="If empty, the first visible sheet.">
          {(input) => (
            <input
              {...input}
              value={options.sheet}
              maxLength={200}
              onChange={({ currentTarget }) =>
                onRead({ ...options, sheet: currentTarget.value.trim() })
              }
            />
          )}
        </Field>
        <Field label="File in archive" hint="Required if a ZIP contains several files.">
          {(input) => (
            <input
              {...input}
              value={options.zippedFile}
              onChange={({ currentTarget }) =>
                onRead({ ...options, zippedFile: currentTarget.value.trim() })
              }
            />
          )}
        </Field>
        <Switch on={options.header ?? header} onChange={(on) => onRead({ ...options, header: on })}>
          First row is a header
        </Switch>
        {FLAGS.map(([name, label, hint]) => (
          <Switch
            key={name}
            on={options[name]}
            onChange={(on) => onOptions({ ...options, [name]: on })}
          >
            <span>
              {label}
              <small>{hint}</small>
            </span>
          </Switch>
        ))}
      </div>
    </details>
  )
}
