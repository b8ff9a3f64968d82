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
      `ELASTICSEARCH_URL ${shown} runs Elasticsearch ${oldest}, but version 9 or newer is needed: upgrade it, or set another address.`,
    )
  }
}

/** What to do when Elasticsearch refuses its user an action; undefined for another error. */
export function refusedAction(error: unknown): string | undefined {
  if (!(error instanceof errors.ResponseError) || error.statusCode !== 403) return undefined
  const { reason } = (error.meta.body as { error?: { reason?: string } } | undefined)?.error ?? {}
  return `Elasticsearch refuses its user an action (${reason ?? error.message}): give the user the role of docs/operations.md.`
}

function notElasticsearch(shown: string): string {
  return `ELASTICSEARCH_URL ${shown} does not answer as Elasticsearch does: check the address.`
}

function connectionFailure(error: unknown, shown: string): string {
  if (error instanceof errors.ProductNotSupportedError) return notElasticsearch(shown)
  if (error instanceof errors.ResponseError) {
    if (error.statusCode === 401 || error.statusCode === 403) {
      return `ELASTICSEARCH_URL ${shown} refuses these credentials (${error.statusCode}): set ELASTICSEARCH_API_KEY, or ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD, of a user with the role of docs/operations.md.`
    }
    return `ELASTICSEARCH_URL ${shown} answers ${error.statusCode ?? 'no status'} when asked for its version: check the address.`
  }
  const reason = error instanceof Error ? error.message : String(error)
  if (/certificate|self.signed|altname|TLS|SSL/i.test(reason)) {
    return `The certificate of ELASTICSEARCH_URL ${shown} is not trusted (${reason}): set ELASTICSEARCH_CA to the PEM file of its authority.`
  }
  return `ELASTICSEARCH_URL ${shown} does not answer (${reason}): start Elasticsearch there, or set another address.`
}
