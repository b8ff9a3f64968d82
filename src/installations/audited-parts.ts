import { type Installation, plainName, type StoredValue } from '../extensions/installation.ts'
import type { RegisteredExtension } from '../extensions/registrations.ts'

/** An installation, and new values that it shares with others; null clears. */
interface NotedInstallation extends Installation {
  readonly sharedData?: Readonly<Record<string, StoredValue | null>>
}

const textsOf = (values: Readonly<Record<string, StoredValue | null>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [plainName(name), value?.text ?? 'cleared']),
  )

/** The audit log has only the names of values, since any value may be a credential. */
export const AUDITED_INSTALLATION = {
  target: 'installation',
  part: ({ settings, values, sharedData = {}, ...installation }: NotedInstallation) => ({
    enabled: installation.enabled,
    extension: installation.extension,
    extensionLevel: installation.level,
    username: installation.username,
    ...settings,
    additionalData: textsOf(values),
    sharedData: textsOf(sharedData),
  }),
  name: ({ extension }: Partial<Installation>) => extension ?? null,
  values: [
    ...['enabled', 'extension', 'extensionLevel', 'username', 'vendor', 'vendors', 'catalog'],
    ...['nickname', 'catalogFilter', 'schedule', 'timezone', 'useLinkedItems', 'allowPrice'],
  ],
} as const

/** It has no `values`, since addresses may contain credentials. */
export const AUDITED_REGISTRATION = {
  target: 'extension',
  part: ({ registration: { manifestUrl, url, secret, manifest } }: RegisteredExtension) => ({
    manifestUrl,
    url,
    secret,
    manifest,
  }),
  name: ({ manifest }: Partial<RegisteredExtension['registration']>) => manifest?.name ?? null,
} as const
