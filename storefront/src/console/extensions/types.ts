import type { Answer } from 'aisle-client'

/** Labels of the categories of extensions. */
export const KINDS: Readonly<Record<Available['category'], string>> = {
  import: 'Import',
  export: 'Export',
  realtime: 'Real-time prices',
  recommendation: 'Recommendations',
}

export type Available = Answer<'getAvailableExtensions'>[number]
export type Installed = Answer<'getInstalledExtensions'>[number]
/** A field that an extension defines. */
export type FieldDefinition = Available['additionalData'][number]
