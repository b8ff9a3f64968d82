import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generatedFiles } from '../../client/generate.ts'
import * as generated from '../../client/src/generated/operations.ts'
import { operations } from '../../src/operations.ts'

test('the client is the output of `npm run client:generate`', async () => {
  for (const [name, text] of await generatedFiles()) {
    const kept = await readFile(`client/src/generated/${name}`, 'utf8')
    expect(kept === text, `${name}: run npm run client:generate`).toBe(true)
  }
})

test('every operation of 6.0 is a function with its name', () => {
  const served = operations.filter(({ bindings }) => bindings['6.0'] ?? bindings.any)
  const names = served.map(({ name }) => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase())
  expect(
    Object.keys(generated)
      .map((name) => name.toLowerCase())
      .sort(),
  ).toEqual(names.sort())
})
