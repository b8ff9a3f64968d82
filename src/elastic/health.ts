import { errors } from '@elastic/elasticsearch'
import type { Elastic } from './client.ts'

const HEALTH_MS = 1_500

/** One line: `ok` with the cluster's state, or what is wrong. Never throws. */
export async function clusterHealth({ client }: Elastic): Promise<string> {
  try {
    const health = await client.cluster.health({}, { requestTimeout: HEALTH_MS })
    return health.status === 'red' ? 'some shards are missing (red)' : `ok (${health.status})`
  } catch (error) {
    if (error instanceof errors.TimeoutError) return `no answer within ${HEALTH_MS} ms`
    if (error instanceof errors.ConnectionError) return 'cannot be reached'
    if (error instanceof errors.ResponseError) return `answers with status ${error.statusCode}`
    return 'not usable'
  }
}
