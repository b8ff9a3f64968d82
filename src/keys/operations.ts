import type { z } from 'zod'
import { Invalid, NotFound } from '../errors.ts'
import { bothRevisions, type CallerContext, operation } from '../operation.ts'
import type { Family } from '../organizations/organization.ts'
import { familyOf } from '../organizations/store.ts'
import { ActionResponse, done } from '../shapes.ts'
import { generateKey, type NewKey } from './generate.ts'
import { isMembershipCurrent, type Key } from './key.ts'
import { lastUses } from './last-use.ts'
import { ApiKeyResponse, ApiKeys } from './response-schemas.ts'
import { ApiKeyRequest, KeyId } from './schemas.ts'
import { endKey, type KeyOwner, listKeys } from './store.ts'

/** The keys that the caller may see and disable. */
function visibleTo({ caller, organization }: CallerContext): KeyOwner {
  if (caller.role === 'operator') return { organization: organization?.id ?? null }
  if (!organization) throw new Invalid('x-organization: required')
  return caller.role === 'administrator'
    ? { organization: organization.id }
    : { organization: organization.id, username: caller.username }
}

type ApiKey = z.infer<typeof ApiKeys>['keys'][number]

/** A key as it is listed, not enabled when its user has left; `lastUsed`: null if it never was. */
const toApiKey = (key: Key, home: Family | undefined, lastUsed: string | null): ApiKey => ({
  id: key.id,
  name: key.name,
  keyType: key.keyType,
  username: key.username,
  enabled: key.enabled && isMembershipCurrent(key, home),
  createDate: key.created,
  prefix: key.prefix,
  allOrganizations: key.reach !== 'organization',
  origins: key.origins === null ? null : [...key.origins],
  catalogs: key.bounds?.catalogs ?? null,
  filter: key.bounds?.filter ?? null,
  hide: key.bounds?.hide ?? [],
  rate: key.bounds?.rate ?? null,
  priceList: key.bounds?.priceList ?? null,
  cache: key.cache ?? null,
  expires: key.expires,
  defaultVersion: key.defaultVersion ?? null,
  lastUsed,
})

/** How the audit log records a key: its settings, without internal fields such as its hash. */
const AUDITED_KEY = {
  target: 'key',
  part: ({ id, hash, prefix, membership, session, created, ...key }: Key) => key,
  name: ({ name }: Partial<Key>) => name ?? null,
  values: [
    ...['name', 'keyType', 'username', 'reach', 'organization', 'origins', 'bounds', 'cache'],
    ...['expires', 'enabled'],
  ],
} as const

export const keyOperations = [
  operation({
    name: 'Generate API Key',
    summary:
      'Creates an API key for the caller or, if an administrator asks, for any member. The secret is returned only once.',
    access: 'caller',
    audit: { ...AUDITED_KEY, secret: () => true },
    bindings: bothRevisions('POST', '/api/KeyAuth/keys', {
      body: ApiKeyRequest,
      answer: ApiKeyResponse,
      encode: ({ id, secret }: NewKey) => ({ id, success: true, error: null, key: secret }),
    }),
    handle: ({ body }, ctx) => generateKey(ctx, body),
  }),
  operation({
    name: 'Get API Keys',
    cost: 4,
    summary:
      "Lists the caller's API keys or, for administrators, all keys of the organization, newest first.",
    access: 'caller',
    audit: { target: 'key' },
    bindings: bothRevisions('GET', '/api/KeyAuth/keys', { answer: ApiKeys }),
    handle: async (_input, ctx) => {
      const { organization, signal } = ctx
      const keys = await listKeys(ctx, visibleTo(ctx))
      const home = organization ? await familyOf(ctx, organization.id, { signal }) : undefined
      const uses = await lastUses(ctx, keys)
      return { keys: keys.map((key, at) => toApiKey(key, home, uses[at] ?? null)) }
    },
  }),
  operation({
    name: 'Disable API Key',
    summary:
      'Disables an API key. It stops working at once on this instance and within two seconds on every other.',
    access: 'caller',
    audit: { ...AUDITED_KEY, id: ({ id }) => id },
    bindings: bothRevisions('DELETE', '/api/KeyAuth/keys/:id', {
      param: KeyId,
      answer: ActionResponse,
    }),
    handle: async ({ id }, ctx) => {
      const end = await endKey(ctx, id, visibleTo(ctx))
      if (end === 'unknown') throw new NotFound('API key')
      return done('Key disabled.', { id })
    },
  }),
]
