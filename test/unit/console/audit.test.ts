import { expect, test } from 'vitest'
import {
  type AuditEntry,
  meansText,
  outcomeText,
  targetText,
} from '../../../storefront/src/console/audit/words.ts'

const actor = { username: 'ada', role: 'administrator', keyId: 'k-1' }
const of = (entry: object): AuditEntry =>
  ({
    actor: { ...actor, keyName: 'deploy', identity: null, userToken: null },
    target: { type: 'key', id: null, name: null, catalog: null },
    outcome: 'done',
    secretShown: false,
    address: null,
    ...entry,
  }) as AuditEntry

test('an audit entry shows its target, its credential and its outcome', () => {
  const target = { type: 'installation', id: 'i-1', name: 'file', catalog: null }
  expect(targetText(of({ target }))).toBe('file, i-1')
  const rules = { type: 'searchSettings', id: 'tools', name: null, catalog: 'tools' }
  expect(targetText(of({ target: rules }))).toBe('tools')
  const list = { type: 'priceList', id: 'dealers', name: null, catalog: 'tools' }
  expect(targetText(of({ target: list }))).toBe('dealers in tools')
  expect(targetText(of({}))).toBe('API keys')
  expect(meansText(of({ address: '192.0.2.7' }))).toBe('deploy, 192.0.2.7')
  const identity = { issuer: 'https://login.example', subject: 's-1' }
  const person = of({ actor: { ...actor, keyName: null, identity, userToken: null } })
  expect(meansText(person)).toBe('s-1 (https://login.example)')
  expect(outcomeText(of({ secretShown: true }))).toBe('Secret shown')
  expect(outcomeText(of({ outcome: 'refused' }))).toBe('Rejected')
})
