import { type Client, errors } from '@elastic/elasticsearch'
import { StartupFailure } from '../errors.ts'
import { compareVersions } from './version.ts'

const MINIMUM_VERSION = '9.0.0'
/** An older server refuses the media type of the client's own requests. */
const PLAIN = { headers: { accept: 'application/json' } }

/** Refuses a cluster that does not answer or is too old; `shown` is its address for the message. */
export async function checkVersion(client: Client, shown: string): Promise<void> {
  // GET / tells the version too, but not on every distribution.
  const path = '/_nodes/_all/_none?filter_path=nodes.*.version'
  const answer = await client.transport
    .request<{ nodes?: Record<string, { version: string }> }>({ method: 'GET', path }, PLAIN)
    .catch((cause) => {
      throw new StartupFailure(connectionFailure(cause, shown), { cause })
    })
  const versions = Object.values(answer.nodes ?? {}).map(({ version }) => version)
  const [oldest] = versions.sort(compareVersions)
  if (oldest === undefined) throw new StartupFailure(notElasticsearch(shown))
  if (compareVersions(oldest, MINIMUM_VERSION) < 0) {
    throw new StartupFailure(
      `ELASTICSEARCH_URL ${shown} runs Elasticsearch ${oldest}, but version 9 or newer is required: upgrade it, or set another URL.`,
    )
  }
}

/** What to do when Elasticsearch refuses its user an action; undefined for another error. */
export function refusedAction(error: unknown): string | undefined {
  if (!(error instanceof errors.ResponseError) || error.statusCode !== 403) return undefined
  const { reason } = (error.meta.body as { error?: { reason?: string } } | undefined)?.error ?? {}
  return `The Elasticsearch user lacks a privilege (${reason ?? error.message}): assign the role in docs/operations.md to it.`
}

function notElasticsearch(shown: string): string {
  return `ELASTICSEARCH_URL ${shown} does not respond like Elasticsearch: check the URL.`
}

function connectionFailure(error: unknown, shown: string): string {
  if (error instanceof errors.ProductNotSupportedError) return notElasticsearch(shown)
  if (error instanceof errors.ResponseError) {
    if (error.statusCode === 401 || error.statusCode === 403) {
      return `ELASTICSEARCH_URL ${shown} rejects these credentials (${error.statusCode}): set ELASTICSEARCH_API_KEY, or ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD, of a user with the role in docs/operations.md.`
    }
    return `ELASTICSEARCH_URL ${shown} responds with ${error.statusCode ?? 'no status'} when asked for its version: check the URL.`
  }
  const reason = error instanceof Error ? error.message : String(error)
  if (/certificate|self.signed|altname|TLS|SSL/i.test(reason)) {
    return `The certificate of ELASTICSEARCH_URL ${shown} is not trusted (${reason}): set ELASTICSEARCH_CA to the PEM file of its certificate authority.`
  }
  return `ELASTICSEARCH_URL ${shown} does not respond (${reason}): start Elasticsearch there, or set another URL.`
}
