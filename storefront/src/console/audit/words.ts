import type { Answer } from 'aisle-client'

export type AuditEntry = Answer<'getAuditLog'>['items'][number]

/** Labels of the types of targets that an administrator can filter by. */
export const TARGETS = {
  key: 'API keys',
  user: 'Users',
  organization: 'Organization',
  catalog: 'Catalogs',
  searchSettings: 'Search tuning',
  experiment: 'Experiments',
  priceList: 'Price lists',
  installation: 'Installed extensions',
  extension: 'Extensions',
  products: 'Bulk changes',
  callback: 'Callbacks',
  callbackSecret: 'Signing secret',
  auditLog: 'Audit log',
} as const satisfies Record<AuditEntry['target']['type'], string>

export type Target = keyof typeof TARGETS

export const isTarget = (text: string | undefined): text is Target =>
  text !== undefined && Object.hasOwn(TARGETS, text)

/** The target of an entry as text: its name and id, if it has them. */
export function targetText({ target: { type, id, name, catalog } }: AuditEntry): string {
  const called = [name, id].filter((part, at, all) => part && all.indexOf(part) === at)
  const where = catalog && catalog !== id ? ` in ${catalog}` : ''
  return `${called.length === 0 ? TARGETS[type] : called.join(', ')}${where}`
}

/** The credential that was used (a key, or the issuer of a token) and the address. */
export function meansText({ actor, address }: AuditEntry): string {
  const { identity, keyName, keyId } = actor
  const key = identity ? `${identity.subject} (${identity.issuer})` : (keyName ?? keyId)
  return [key, address].filter(Boolean).join(', ')
}

const OUTCOMES = { done: '', refused: 'Rejected', unknown: 'Outcome unknown' } as const

/** Details of the outcome, apart from the operation called. */
export function outcomeText({ outcome, secretShown }: AuditEntry): string {
  return [OUTCOMES[outcome], secretShown ? 'Secret shown' : ''].filter(Boolean).join(' · ')
}
