import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { estypes } from '@elastic/elasticsearch'
import { StartupFailure } from '../errors.ts'
import { ADMIN, call, type Elastic } from './client.ts'
import { mappingChanges } from './mapping-changes.ts'
import { ALL_PRODUCTS, indicesBehind, isOwnKind, ownKinds, PRODUCTS } from './own-index.ts'
import { createMissing, prepareMonths } from './prepare-months.ts'
import { allowWrites, refusesWrites } from './write-block.ts'

/** One file of index-mappings/. Monthly kinds become a template, the others an index with an alias. */
export interface IndexDefinition {
  readonly kind: string
  readonly version: number
  readonly monthly: boolean
  readonly settings: estypes.IndicesIndexSettings
  readonly mappings: estypes.MappingTypeMapping
}

const INDEX_MAPPINGS = join(import.meta.dirname, '..', '..', 'index-mappings')

/** Reads every definition in a folder, the repository's when absent. */
export async function readDefinitions(folder = INDEX_MAPPINGS): Promise<IndexDefinition[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  return Promise.all(
    files.map(async (name) => {
      const { settings = {}, mappings } = JSON.parse(await readFile(join(folder, name), 'utf8'))
      const { version, monthly = false } = mappings._meta
      return { kind: basename(name, '.json'), version, monthly, settings, mappings }
    }),
  )
}

/** Makes every index and template exist as defined. Throws StartupFailure with a remedy. */
export async function prepareIndices(
  elastic: Elastic,
  definitions: readonly IndexDefinition[],
): Promise<void> {
  // All at once, since each one mostly waits for its shards to start.
  const ended = await Promise.allSettled(definitions.map((one) => prepareKind(elastic, one)))
  const failure = ended.find(({ status }) => status === 'rejected')
  if (failure) throw (failure as PromiseRejectedResult).reason
  await prepareMonths(elastic, new Date())
}

async function prepareKind(elastic: Elastic, definition: IndexDefinition): Promise<void> {
  if (definition.monthly) return putTemplate(elastic, definition)
  await prepareIndex(elastic, definition)
  if (definition.kind !== PRODUCTS) return
  for (const kind of await ownKinds(elastic)) await prepareOwn(elastic, { ...definition, kind })
}

export const versionedName = (elastic: Elastic, { kind, version }: IndexDefinition): string =>
  `${elastic.indexName(kind)}-v${version}`

const settingsOf = ({ settings: own }: Elastic, definition: IndexDefinition) => ({
  number_of_shards: own.shards,
  number_of_replicas: own.replicas,
  ...definition.settings,
})

async function putTemplate(elastic: Elastic, definition: IndexDefinition): Promise<void> {
  const name = elastic.indexName(definition.kind)
  await extend(elastic, name, definition)
  await call(() =>
    elastic.client.indices.putIndexTemplate(
      {
        name,
        index_patterns: [`${name}-*`],
        priority: 200,
        _meta: { prefix: elastic.settings.prefix },
        template: {
          settings: settingsOf(elastic, definition),
          mappings: definition.mappings,
          aliases: { [name]: {} },
        },
      },
      ADMIN,
    ),
  )
}

/** The aliases of an index. All product indices share one. */
export const aliasesOf = ({ indexName }: Elastic, { kind }: IndexDefinition): string[] =>
  kind === PRODUCTS || isOwnKind(kind) ? [kind, ALL_PRODUCTS].map(indexName) : [indexName(kind)]

async function prepareIndex(elastic: Elastic, definition: IndexDefinition): Promise<void> {
  const alias = elastic.indexName(definition.kind)
  const found = await currentIndex(elastic, alias)
  if (found === undefined) return createIndex(elastic, definition)
  await prepareFound(elastic, definition, found)
}

/**
 * Like prepareIndex, but does not recreate an index that was deleted with its catalog meanwhile.
 */
async function prepareOwn(elastic: Elastic, definition: IndexDefinition): Promise<void> {
  const alias = elastic.indexName(definition.kind)
  const found = await currentIndex(elastic, alias)
  if (found === undefined) return
  try {
    await prepareFound(elastic, definition, found)
  } catch (error) {
    if (await currentIndex(elastic, alias)) throw error
  }
}

async function prepareFound(
  elastic: Elastic,
  definition: IndexDefinition,
  found: string,
): Promise<void> {
  refuseNewer(found, definition)
  const wanted = versionedName(elastic, definition)
  if (found !== wanted) {
    throw new StartupFailure(
      `The index ${found} was created by an older version: run "npm run migrate" to copy it to ${wanted}.`,
    )
  }
  await extend(elastic, found, definition)
  const actions = aliasesOf(elastic, definition).map((name) => ({
    add: { index: found, alias: name },
  }))
  if (actions.length > 1) await call(() => elastic.client.indices.updateAliases({ actions }, ADMIN))
  // The block was left by an interrupted migration to the next version.
  if (await refusesWrites(elastic, found)) await allowWrites(elastic, found)
}

/** Throws StartupFailure for an index of a newer version of Aisle. */
export function refuseNewer(index: string, { version }: IndexDefinition): void {
  if (Number(index.split('-v').at(-1)) <= version) return
  throw new StartupFailure(
    `The index ${index} was created by a newer version of Aisle: start that version, or set another INDEX_PREFIX.`,
  )
}

/** The index behind an alias, or undefined when there is none yet. */
export const currentIndex = async (elastic: Elastic, alias: string): Promise<string | undefined> =>
  Object.keys(await indicesBehind(elastic, alias))[0]

const namedBy = (aliases: readonly string[]) =>
  Object.fromEntries(aliases.map((alias) => [alias, {}]))

/** Creates the versioned index with its alias in one step. Another instance may be faster. */
export async function createIndex(
  elastic: Elastic,
  definition: IndexDefinition,
  { alias = true }: { alias?: boolean } = {},
): Promise<void> {
  await createMissing(elastic, {
    index: versionedName(elastic, definition),
    settings: settingsOf(elastic, definition),
    mappings: definition.mappings,
    ...(alias ? { aliases: namedBy(aliasesOf(elastic, definition)) } : {}),
  })
}

/** Adds new fields to the indices behind an alias. Throws StartupFailure on other differences. */
async function extend(elastic: Elastic, name: string, definition: IndexDefinition): Promise<void> {
  const found = await call(() =>
    elastic.client.indices.getMapping({ index: name, ignore_unavailable: true }, ADMIN),
  )
  for (const [index, { mappings }] of Object.entries(found)) {
    await addFields(elastic, { index, stored: mappings, definition })
  }
}

async function addFields(
  elastic: Elastic,
  {
    index,
    stored,
    definition,
  }: { index: string; stored: estypes.MappingTypeMapping; definition: IndexDefinition },
): Promise<void> {
  const { added, changed } = mappingChanges(stored, definition.mappings)
  const needsRewrite = added.filter((path) => path.startsWith('search.'))
  const refused = [...changed, ...needsRewrite]
  if (refused.length > 0) {
    const remedy = definition.monthly
      ? 'monthly indices keep their fields, so add a field with another name'
      : 'raise its version in index-mappings and run "npm run migrate"'
    throw new StartupFailure(
      `The mapping of ${index} differs at ${refused.slice(0, 5).join(', ')}: ${remedy}.`,
    )
  }
  if (added.length === 0) return
  const { properties = {} } = definition.mappings
  await call(() => elastic.client.indices.putMapping({ index, properties }, ADMIN))
}
