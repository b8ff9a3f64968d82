import type { Answer } from 'aisle-client'

export type Available = Answer<'getAvailableExtensions'>[number]
export type Installed = Answer<'getInstalledExtensions'>[number]
/** A field that an extension asks for. */
export type FieldDefinition = Available['additionalData'][number]
