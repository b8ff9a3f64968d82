import type { ElasticConnection } from '../elastic/client.ts'
import { StartupFailure } from '../errors.ts'
import { nodeAddresses } from '../platform/node-addresses.ts'
import { dockerElasticsearch, dockerObstacle } from './docker.ts'
import { embeddedObstacle, embedElasticsearch } from './embedded.ts'
import { connectExternal, type ExternalSettings } from './external.ts'
import { type Machine, thisMachine } from './machine.ts'
import type { RunningEngine } from './process.ts'

const KINDS = ['external', 'embedded', 'docker'] as const
type ElasticsearchKind = (typeof KINDS)[number]

export interface ElasticsearchSettings extends Omit<ExternalSettings, 'url'> {
  readonly url?: string | undefined
  readonly image: string
  /** Absolute path of a folder that exists and belongs to this service alone. */
  readonly dataDir: string
}

/** An external one is not affected by `stop`, and never resolves `exited`. */
export interface ElasticsearchInstance extends ElasticConnection, RunningEngine {
  readonly kind: ElasticsearchKind
}

export interface ProvideOptions {
  readonly say: (line: string) => void
  /** The kinds to try; all of them when absent. */
  readonly order?: readonly ElasticsearchKind[]
  readonly machine?: Machine
}

/** Finds or starts an Elasticsearch: the first kind of `order` that works here. Throws StartupFailure. */
export async function provideElasticsearch(
  settings: ElasticsearchSettings,
  { say, order = KINDS, machine = thisMachine() }: ProvideOptions,
): Promise<ElasticsearchInstance> {
  const { url, dataDir, image } = settings
  const obstacles: string[] = []
  for (const kind of order) {
    if (kind === 'external') {
      if (url === undefined) continue
      const connection = await connectExternal({ ...settings, url })
      const hosts = nodeAddresses(url).map((address) => new URL(address).host)
      say(`using the Elasticsearch at ${hosts.join(', ')}`)
      return { kind, ...connection, exited: new Promise(() => undefined), stop: async () => {} }
    }
    const start = { machine, dataDir, image, say }
    const [obstacle, run] =
      kind === 'embedded'
        ? [await embeddedObstacle(start), embedElasticsearch]
        : [await dockerObstacle(machine), dockerElasticsearch]
    if (obstacle === undefined) return { kind, ...(await run(start)) }
    obstacles.push(obstacle)
  }
  throw new StartupFailure(
    `Elasticsearch cannot be started here (${obstacles.join('; ')}): install JDK 21 or newer and Maven, or Docker with Compose, or set ELASTICSEARCH_URL.`,
  )
}
