import { StartupFailure } from '../errors.ts'
import { dockerElasticsearch, dockerObstacle } from './engine-docker.ts'
import { embeddedObstacle, embedElasticsearch } from './engine-embedded.ts'
import { connectExternal } from './engine-external.ts'
import { type Machine, thisMachine } from './engine-machine.ts'

export type ElasticsearchKind = 'external' | 'embedded' | 'docker'

export interface ElasticsearchSettings {
  readonly url?: string | undefined
  readonly apiKey?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** Path of a PEM file. */
  readonly caFile?: string | undefined
  readonly image: string
  /** Absolute path of a folder that exists and belongs to this service alone. */
  readonly dataDir: string
}

export interface ElasticsearchInstance {
  readonly kind: ElasticsearchKind
  readonly node: string
  readonly auth?: { apiKey: string } | { username: string; password: string }
  /** Certificates as PEM text. */
  readonly ca?: string
  /** Resolves with a sentence when an engine that we started ended and cannot be started again. */
  readonly exited: Promise<string>
  /** Ends what was started, within 15 s; an external one stays as it is. */
  stop(): Promise<void>
}

export interface ProvideOptions {
  readonly say: (line: string) => void
  readonly order: readonly ElasticsearchKind[]
  readonly machine?: Machine
}

/**
 * Finds or starts an Elasticsearch: the first kind of `order` that this machine can do. Call it
 * from the main thread: the engine ends with the thread that started it. Throws StartupFailure.
 */
export async function provideElasticsearch(
  settings: ElasticsearchSettings,
  { say, order, machine = thisMachine() }: ProvideOptions,
): Promise<ElasticsearchInstance> {
  const { url, dataDir, image } = settings
  const obstacles: string[] = []
  for (const kind of order) {
    if (kind === 'external') {
      if (url === undefined) continue
      const connection = await connectExternal({ ...settings, url })
      say(`using the Elasticsearch at ${new URL(url).host}`)
      return { kind, ...connection, exited: new Promise(() => undefined), stop: async () => {} }
    }
    const obstacle =
      kind === 'embedded'
        ? await embeddedObstacle({ machine, dataDir, say })
        : await dockerObstacle(machine)
    if (obstacle !== undefined) {
      obstacles.push(obstacle)
      continue
    }
    const engine =
      kind === 'embedded'
        ? await embedElasticsearch({ machine, dataDir, say })
        : await dockerElasticsearch({ machine, dataDir, image, say })
    return { kind, ...engine }
  }
  throw new StartupFailure(
    `Elasticsearch cannot be started here (${obstacles.join('; ')}): install JDK 21 or newer and Maven, or Docker with Compose, or set ELASTICSEARCH_URL.`,
  )
}
