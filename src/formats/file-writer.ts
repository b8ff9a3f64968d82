import type { FieldDefinition } from '../extensions/fields.ts'
import type { ProductView } from '../products/view.ts'

/** Names of the values that products have besides their fixed fields. */
export interface ProductNames {
  readonly facets: readonly string[]
  readonly filters: readonly string[]
  readonly attributes: readonly string[]
  /** Names of options; absent where no product is a variant. */
  readonly variants?: { readonly options: readonly string[] } | undefined
}

export interface FieldOption {
  readonly value: string
  readonly isDefault: boolean
}

/** How products are exported as files of one type. */
export interface FileWriter<Settings = unknown> {
  readonly name: string
  readonly description: string
  readonly mediaType: string
  /** What people may say about how it is written. */
  readonly fields: readonly FieldDefinition[]
  /** What the values of these fields mean, kept with the export's task. Throws Invalid that names the field. */
  settings(values: Readonly<Record<string, string>>): Settings
  /** Values that a field may be given; `names` looks into the catalog. */
  options(field: string, names: () => Promise<ProductNames>): Promise<readonly FieldOption[]>
  /** The headings of a file, decided when its export begins; none where it has no columns. */
  headings(settings: Settings, names: () => Promise<ProductNames>): Promise<readonly string[]>
  /** The first text of the file, and that of each product. */
  open(settings: Settings, headings: readonly string[]): ProductText
}

export interface ProductText {
  readonly head: string
  write(product: ProductView): string
}
