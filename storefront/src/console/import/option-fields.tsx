import { Switch } from '../../ui/switch.tsx'
import { Field } from '../parts/field.tsx'
import type { Options } from './request.ts'

interface OptionFieldsProps {
  readonly options: Options
  /** Whether the first row was taken for headings. */
  readonly header: boolean
  onOptions(options: Options): void
  onRead(options: Options): void
}

type Flag = 'createProducts' | 'updateMetadata' | 'fullFile'

const FLAGS: readonly (readonly [Flag, string, string])[] = [
  ['createProducts', 'Create products that are not there', 'Otherwise their rows are rejected.'],
  ['updateMetadata', 'Change the data of known products', 'Otherwise only prices and stock are.'],
  [
    'fullFile',
    'The file has all offers of this vendor',
    'Offers that it does not list are removed. A vendor has to be named above.',
  ],
]

/** What is seldom asked for, folded away. */
export function OptionFields({ options, header, onOptions, onRead }: OptionFieldsProps) {
  return (
    <details class="more-options">
      <summary>How it is read, and what it may change</summary>
      <div class="columns">
        <Field
          label="Vendor of rows that name none"
          hint="Without one the catalog’s vendor, else your organization."
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
        <Field label="Sheet of a workbook" hint="The first visible one when empty.">
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
        <Field label="File within an archive" hint="Needed where a zip has several.">
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
          The first row has headings
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
