import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { StartupFailure } from '../../../src/errors.ts'
import { keptEncryptionKey } from '../../../src/platform/encryption-key.ts'
import {
  createSecrets,
  newEncryptionKey,
  SecretUnreadable,
  sealedIn,
} from '../../../src/platform/secrets.ts'

const WHERE = ['acme', 'installation', 'password']

describe('encrypted texts', () => {
  test('can be decrypted in their context, and are never the same twice', () => {
    const secrets = createSecrets(newEncryptionKey())
    for (const text of ['', 'p', 'pässwörd 🔑', 'x'.repeat(10_000)]) {
      const sealed = secrets.seal(text, WHERE)
      expect(secrets.open(sealed, WHERE)).toBe(text)
      expect(secrets.seal(text, WHERE)).not.toBe(sealed)
      if (text.length > 1) expect(sealed).not.toContain(text)
    }
  })

  test('cannot be decrypted in another context', () => {
    const secrets = createSecrets(newEncryptionKey())
    const sealed = secrets.seal('s3cret', WHERE)
    const elsewhere = [
      ['other', 'installation', 'password'],
      ['acme', 'installation', 'user'],
      ['acme', 'installationpassword'],
      ['acmeinstallation', 'password'],
      [...WHERE, ''],
      [],
    ]
    for (const where of elsewhere) {
      expect(() => secrets.open(sealed, where)).toThrow(SecretUnreadable)
    }
  })

  test('are refused with the same message whichever part was changed', () => {
    const secrets = createSecrets(newEncryptionKey())
    const sealed = secrets.seal('s3cret', WHERE)
    const flipped = [...sealed].map((sign, at) =>
      sign === '.'
        ? sealed
        : sealed.slice(0, at) + (sign === 'A' ? 'B' : 'A') + sealed.slice(at + 1),
    )
    const wrong = ['', 'v1', 's3cret', sealed.slice(0, -1), `${sealed}A`, sealed.slice(0, 40)]
    const texts = new Set<string>()
    for (const text of [...flipped, ...wrong].filter((text) => text !== sealed)) {
      // The last character of base64 may differ in bits that have no meaning.
      if (text.slice(0, -1) === sealed.slice(0, -1) && text.length === sealed.length) continue
      try {
        secrets.open(text, WHERE)
        texts.add(`opened: ${text}`)
      } catch (error) {
        texts.add((error as Error).message)
      }
    }
    expect([...texts]).toEqual([
      'A stored secret can no longer be decrypted. Enter it again, or set ENCRYPTION_KEY to the key it was stored with.',
    ])
  })

  test('stay readable while keys change, and report if they should be encrypted again', () => {
    const [first, second] = [newEncryptionKey(), newEncryptionKey()]
    const before = createSecrets(first).seal('s3cret', WHERE)
    const both = createSecrets(`${second}, ${first}`)
    expect(both.open(before, WHERE)).toBe('s3cret')
    expect(both.isCurrent(before)).toBe(false)
    const after = both.seal('s3cret', WHERE)
    expect(both.isCurrent(after)).toBe(true)
    expect(createSecrets(second).open(after, WHERE)).toBe('s3cret')
    expect(() => createSecrets(second).open(before, WHERE)).toThrow(SecretUnreadable)
  })

  test('accept keys as hex and as base64', () => {
    const bytes = Buffer.alloc(32, 7)
    const sealed = createSecrets(bytes.toString('hex')).seal('s3cret', WHERE)
    expect(createSecrets(bytes.toString('base64')).open(sealed, WHERE)).toBe('s3cret')
    for (const keys of ['', 'short', 'x'.repeat(64), `${bytes.toString('hex')},`]) {
      expect(() => createSecrets(keys)).toThrow(StartupFailure)
    }
  })
})

test('encrypted texts are found in a value, whatever surrounds them', () => {
  const secrets = createSecrets(newEncryptionKey())
  const [one, two] = [secrets.seal('', WHERE), secrets.seal('"p', WHERE)]
  expect(sealedIn([{ file: { sealed: one } }, [two, 'v1.short'], null, `no ${one}`])).toEqual([
    one,
    two,
  ])
  expect(sealedIn(undefined)).toEqual([])
})

describe('the stored key', () => {
  test('is created once, also concurrently, and readable only by its owner', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aisle-key-'))
    const keys = await Promise.all(Array.from({ length: 8 }, () => keptEncryptionKey(folder)))
    expect(new Set(keys).size).toBe(1)
    expect(await keptEncryptionKey(folder)).toBe(keys[0])
    expect(await readdir(folder)).toEqual(['encryption-key'])
    expect((await stat(join(folder, 'encryption-key'))).mode & 0o777).toBe(0o600)
    createSecrets(keys[0]!)
  })

  test('cannot be created in a missing folder', async () => {
    await expect(keptEncryptionKey('/nowhere/at/all')).rejects.toThrow(StartupFailure)
  })
})
