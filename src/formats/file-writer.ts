import type { FieldDefinition } from '../extensions/fields.ts'
import type { ProductView } from '../products/view.ts'

/** Names of values that products have besides their fixed fields. */
export interface ProductNames {
  readonly facets: readonly string[]
  readonly filters: readonly string[]
  readonly attributes: readonly string[]
  /** Names of options; absent if no product is a variant. */
  readonly variants?: { readonly options: readonly string[] } | undefined
}

export interface FieldOption {
  readonly value: string
  readonly isDefault: boolean
}

/** Exports products as files of one type. */
export interface FileWriter<Settings = unknown> {
  readonly name: string
  readonly description: string
  readonly mediaType: string
  /** Options for writing the file. */
  readonly fields: readonly FieldDefinition[]
  /**
   * Parses the values of these fields. The result is stored with the export's task. Throws Invalid
   * that names the field.
   */
  settings(values: Readonly<Record<string, string>>): Settings
  /** Allowed values of a field; `names` reads them from the catalog. */
  options(field: string, names: () => Promise<ProductNames>): Promise<readonly FieldOption[]>
  /** The headings of a file, decided when its export begins; empty for files without columns. */
  headings(settings: Settings, names: () => Promise<ProductNames>): Promise<readonly string[]>
  /** Writes the beginning of the file, and the text of each product. */
  open(settings: Settings, headings: readonly string[]): ProductText
}

export interface ProductText {
  readonly head: string
  /** The lines of a product, made one by one: each offer may repeat all of its values. */
  write(product: ProductView): FileLines
}

export type FileLines = readonly string[] | Generator<string>
