import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderFingerprint } from '../../../src/platform/code-fingerprint.ts'

test('a fingerprint does not depend on the folder, and changes with any file', async () => {
  const printOf = async (files: Record<string, string>) => {
    const folder = await mkdtemp(join(tmpdir(), 'code-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'inner'))
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    return folderFingerprint(folder)
  }
  const print = await printOf({ 'a.ts': 'one', 'inner/b.ts': 'two' })
  expect(await printOf({ 'inner/b.ts': 'two', 'a.ts': 'one' })).toBe(print)
  for (const changed of [
    { 'a.ts': 'one', 'inner/b.ts': 'three' },
    { 'a.ts': 'one', 'b.ts': 'two' },
    { 'a.ts': 'one' },
  ]) {
    expect(await printOf(changed)).not.toBe(print)
  }
})
