import { SearchSettings } from './settings.ts'

/** Settings contain no secrets, so the audit log stores their values. */
export const AUDITED_SETTINGS = {
  target: 'searchSettings',
  id: ({ catalog }: { readonly catalog: string }) => catalog,
  values: Object.keys(SearchSettings.shape),
} as const

export const AUDITED_EXPERIMENT = {
  target: 'experiment',
  id: ({ body }: { readonly body: { readonly name: string } }) => body.name,
  values: AUDITED_SETTINGS.values,
} as const
