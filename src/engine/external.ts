import { readFile } from 'node:fs/promises'
import { Client } from '@elastic/elasticsearch'
import { connectionOptions, type ElasticConnection } from '../elastic/client.ts'
import { StartupFailure } from '../errors.ts'
import { checkVersion } from './connection-check.ts'

export interface ExternalSettings {
  /** One address, or the addresses of several nodes, separated by commas. */
  readonly url: string
  readonly apiKey?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** Path of a PEM file. */
  readonly caFile?: string | undefined
}

/** Connects to a running Elasticsearch and checks that it can be used. Throws StartupFailure. */
export async function connectExternal(settings: ExternalSettings): Promise<ElasticConnection> {
  const connection: ElasticConnection = {
    node: settings.url,
    ...credentials(settings),
    ...(settings.caFile === undefined ? {} : { ca: await certificates(settings.caFile) }),
  }
  const options = connectionOptions(connection)
  const { nodes } = options
  // One node that answers is enough.
  const retries = { maxRetries: nodes.length - 1, retryOnTimeout: true, requestTimeout: 5_000 }
  const client = new Client({ ...options, ...retries })
  try {
    await checkVersion(client, nodes.map(withoutSecrets).join(', '))
  } finally {
    await client.close()
  }
  return connection
}

function credentials({
  apiKey,
  username,
  password,
}: ExternalSettings): Pick<ElasticConnection, 'auth'> {
  if (apiKey !== undefined) return { auth: { apiKey } }
  if (username === undefined && password === undefined) return {}
  if (username !== undefined && password !== undefined) return { auth: { username, password } }
  throw new StartupFailure(
    'ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD must be set together: set both, or ELASTICSEARCH_API_KEY.',
  )
}

async function certificates(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new StartupFailure(
      `ELASTICSEARCH_CA ${path} cannot be read: set it to the path of a PEM file.`,
      { cause },
    )
  })
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new StartupFailure(
    `ELASTICSEARCH_CA ${path} contains no certificate: set it to the path of a PEM file.`,
  )
}

/** The address without user name and password, fit to be shown. */
function withoutSecrets(url: string): string {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown.href.replace(/\/$/, '')
}
