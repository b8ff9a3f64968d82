import type { Answer } from 'aisle-client'

export type Catalog = Answer<'getCatalogs'>['catalogs'][number]
export type Organization = Answer<'getOrganizationDetails'>
export type User = Organization['users'][number]
export type Task = Answer<'getTasks'>['items'][number]
export type Sample = Answer<'getImportSample'>
export type Trial = Answer<'validateExtension'>

export interface Mapping {
  readonly column: number
  readonly field: string
  readonly attribute: string | null
}
