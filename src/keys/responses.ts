import type { z } from 'zod'
import type { NewKey } from './generate.ts'
import type { Key } from './key.ts'
import type { ApiKeyResponse, ApiKeys } from './schemas.ts'

export const toApiKeyResponse = ({ id, secret }: NewKey): z.infer<typeof ApiKeyResponse> => ({
  id,
  success: true,
  error: null,
  key: secret,
})

/** A key with the time of its last use, null when it never was. */
export type UsedKey = Key & { readonly lastUsed: string | null }

export const toApiKeys = (keys: readonly UsedKey[]): z.infer<typeof ApiKeys> => ({
  keys: keys.map((key) => ({
    id: key.id,
    name: key.name,
    keyType: key.keyType,
    username: key.username,
    enabled: key.enabled,
    createDate: key.created,
    prefix: key.prefix,
    allOrganizations: key.reach !== 'organization',
    origins: key.origins === null ? null : [...key.origins],
    expires: key.expires,
    lastUsed: key.lastUsed,
  })),
})
