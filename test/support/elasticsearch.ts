import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@elastic/elasticsearch'
import type { TestProject } from 'vitest/node'
import { type ElasticsearchInstance, provideElasticsearch } from '../../src/engine/provider.ts'
import { DEFAULT_IMAGE, dockerAnswers, startContainer } from './container.ts'
import { fastFolder, removeLeftovers } from './fast-folder.ts'
import { expectShortLife } from './short-lived-engine.ts'

type Connection = Pick<ElasticsearchInstance, 'node' | 'auth' | 'ca'>

declare module 'vitest' {
  interface ProvidedContext {
    elasticsearch: Connection
    indexPrefix: string
  }
}

const say = (line: string) => console.log(`elasticsearch: ${line}`)

const DATA_FOLDER = 'aisle-test-'

interface EngineOptions {
  /** The folder in which an embedded engine creates its data folder. */
  readonly parent?: string
  /** Whether an embedded engine runs for minutes only and is not measured. */
  readonly shortLived?: boolean
}

/**
 * Provides the run's Elasticsearch: ELASTICSEARCH_URL, else a container, else the embedded engine.
 */
export async function elasticsearchForTests({
  parent = tmpdir(),
  shortLived = false,
}: EngineOptions = {}): Promise<Connection & { stop(): Promise<void> }> {
  const image = process.env.ELASTICSEARCH_IMAGE
  if (!process.env.ELASTICSEARCH_URL && (await dockerAnswers())) {
    try {
      const container = await startContainer(image ?? DEFAULT_IMAGE)
      say(`container of ${image ?? DEFAULT_IMAGE} at ${container.node}`)
      return container
    } catch (error) {
      // An image that was requested by name must not be replaced by something else.
      if (image !== undefined) throw error
      say(`no container of ${DEFAULT_IMAGE} (${error instanceof Error ? error.message : error})`)
    }
  }
  removeLeftovers(parent, DATA_FOLDER)
  const dataDir = await mkdtemp(join(parent, `${DATA_FOLDER}${process.pid}-`))
  // Started by root, the engine runs as another user, who must be able to read the folder.
  await chmod(dataDir, 0o755)
  if (shortLived && !process.env.ELASTICSEARCH_URL) await expectShortLife(dataDir)
  const instance = await provideElasticsearch(
    {
      url: process.env.ELASTICSEARCH_URL || undefined,
      apiKey: process.env.ELASTICSEARCH_API_KEY,
      username: process.env.ELASTICSEARCH_USERNAME,
      password: process.env.ELASTICSEARCH_PASSWORD,
      caFile: process.env.ELASTICSEARCH_CA,
      image: DEFAULT_IMAGE,
      dataDir,
    },
    { say, order: ['external', 'embedded'] },
  )
  const stop = async () => {
    await instance.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { ...instance, stop }
}

export default async function setup(project: TestProject) {
  const { stop, node, auth, ca } = await elasticsearchForTests({
    parent: fastFolder(),
    shortLived: true,
  })
  const prefix = `test-${randomBytes(4).toString('hex')}`
  project.provide('elasticsearch', { node, ...(auth && { auth }), ...(ca && { ca }) })
  project.provide('indexPrefix', prefix)
  return async () => {
    await removeIndices(
      new Client({ node, ...(auth && { auth }), ...(ca && { tls: { ca } }) }),
      prefix,
    )
    await stop()
  }
}

/** Deletes the indices of a run, so that they do not fill up a permanent Elasticsearch. */
export async function removeIndices(client: Client, prefix: string): Promise<void> {
  const found = await client.cat.indices({ index: `${prefix}-*`, format: 'json', h: 'index' })
  // In groups, since the length of a request line is limited.
  for (let at = 0; at < found.length; at += 50) {
    await client.indices.delete({ index: found.slice(at, at + 50).map(({ index }) => index!) })
  }
  await client.indices.deleteIndexTemplate({ name: `${prefix}-*` }, { ignore: [404] })
  await client.close()
}
