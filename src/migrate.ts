import { elasticsearchOf, indicesOf, readConfig } from './config.ts'
import { all, term } from './elastic/clauses.ts'
import { createElastic, type Elastic } from './elastic/client.ts'
import { ownDefinitions } from './elastic/create-own-index.ts'
import { readDefinitions } from './elastic/indices.ts'
import { migrateIndex, type Rewrite } from './elastic/migrate-index.ts'
import { refusedAction } from './engine/connection-check.ts'
import { provideElasticsearch } from './engine/provider.ts'
import type { Language } from './languages/language.ts'
import { systemClock } from './platform/clock.ts'
import { openDataFolder } from './platform/data-folder.ts'
import { createSecrets } from './platform/secrets.ts'
import type { ProductDocument } from './products/product.ts'
import { searchFields } from './products/search-fields.ts'
import { bindSharedValues } from './sealing/bind-shared-values.ts'
import { reencryptAll } from './sealing/reencrypt.ts'
import { countTasksWithOldKeys } from './sealing/tasks-with-old-keys.ts'
import { mergedWorkspace, type OldDocument } from './workspaces/migration.ts'

const say = (line: string) => process.stdout.write(`migrate: ${line}\n`)

/** Indices whose stored documents change from version to version. */
const rewrites: Record<string, Rewrite> = {
  products: (source) => ({
    ...source,
    search: searchFields(
      source as unknown as ProductDocument,
      source.scope as string,
      source.language as Language | undefined,
    ),
  }),
  workspaces: async (source, readOld) => {
    const old = source as unknown as OldDocument & { readonly scope: string }
    if (old.kind !== 'workspace') return undefined
    const contents = await readOld(all([term('scope', old.scope), term('workspace', old.id)])!)
    const merged = mergedWorkspace(old, contents as unknown as OldDocument[])
    return merged && { scope: old.scope, ...merged }
  },
}

/**
 * Copies every index of an older version to the current one, then re-encrypts secrets with the
 * first key.
 */
async function migrate(): Promise<void> {
  const config = readConfig(process.env)
  const folder = await openDataFolder(config.DATA_DIR)
  const instance = await provideElasticsearch(elasticsearchOf(config), { say })
  try {
    const elastic = createElastic({ ...instance, ...indicesOf(config) })
    const definitions = await readDefinitions()
    const left: string[] = []
    for (const definition of definitions.filter(({ monthly }) => !monthly)) {
      const own = await ownDefinitions(elastic, definition)
      for (const one of [definition, ...own]) {
        const done = await migrateIndex(elastic, one, rewrites[definition.kind])
        if (!done) continue
        say(`${done.from} -> ${done.to}: ${done.documents} documents`)
        left.push(done.from)
      }
    }
    if (left.length > 0) {
      say(`old indices, unchanged; delete them when the service works: ${left.join(', ')}`)
    }
    say('all indices have the current version')
    const bound = await bindSharedValues({ elastic })
    if (bound > 0) say(`shared secrets bound to the extensions of one address: ${bound}`)
    if (config.ENCRYPTION_KEY) await sealByFirstKey(elastic, config.ENCRYPTION_KEY)
  } finally {
    await instance.stop()
    await folder.release()
  }
}

/** Re-encrypts secrets with the first key, and says whether the other keys may be removed. */
async function sealByFirstKey(elastic: Elastic, keys: string): Promise<void> {
  const services = { elastic, secrets: createSecrets(keys), clock: systemClock }
  const { anew, unreadable } = await reencryptAll(services)
  const tasks = await countTasksWithOldKeys(services)
  say(`secrets encrypted again with the first key of ENCRYPTION_KEY: ${anew}`)
  if (unreadable > 0)
    say(`secrets that no key can decrypt, and that must be entered again: ${unreadable}`)
  say(
    tasks > 0
      ? `unfinished tasks that need the other keys: ${tasks}; run this again later`
      : 'the other keys are no longer needed',
  )
}

migrate().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`migrate: ${refusedAction(error) ?? message}\n`)
  process.exitCode = 1
})
