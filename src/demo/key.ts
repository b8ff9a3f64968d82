import { readFile, rename, writeFile } from 'node:fs/promises'
import { generateKey } from '../keys/generate.ts'
import { isActive } from '../keys/key.ts'
import { couldBeKey, hashOf } from '../keys/key-text.ts'
import { ApiKeyRequest } from '../keys/schemas.ts'
import { findKey } from '../keys/store.ts'
import type { Context } from '../operation.ts'

/**
 * The search key of the demo. Keys are shown once; this one protects nothing, so it is kept in
 * `keyFile` and shown at every start. Undefined when somebody disabled it.
 */
export async function demoKey(
  ctx: Context,
  { keyFile, username }: { keyFile: string; username: string },
): Promise<string | undefined> {
  const known = await readKey(keyFile)
  const stored = known && (await findKey(ctx, hashOf(known), ctx.signal))
  if (known && stored) return isActive(stored, ctx.clock.now()) ? known : undefined
  const wanted = ApiKeyRequest.parse({ name: 'demo search key', keyType: 'search', username })
  const { secret } = await generateKey(ctx, wanted)
  const part = `${keyFile}.part`
  await writeFile(part, `${secret}\n`, { mode: 0o600 })
  await rename(part, keyFile)
  return secret
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim()
    return couldBeKey(text) ? text : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
