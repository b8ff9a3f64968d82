import type { Client } from '@elastic/elasticsearch'
import { StartupFailure } from '../errors.ts'
import { ADMIN, call } from './client.ts'

type Settings = { readonly search?: { readonly allow_expensive_queries?: string } }

/** Throws StartupFailure, with what to do, for a cluster that forbids queries that searches need. */
export async function checkClusterSettings(client: Client): Promise<void> {
  const answer = await call(() =>
    client.cluster.getSettings(
      { include_defaults: true, filter_path: '*.search.allow_expensive_queries' },
      ADMIN,
    ),
  )
  const [setting] = [answer.transient, answer.persistent, answer.defaults].flatMap(
    (settings) => (settings as Settings | undefined)?.search?.allow_expensive_queries ?? [],
  )
  if (setting !== 'false') return
  throw new StartupFailure(
    'Elasticsearch rejects queries that searches need: set search.allow_expensive_queries to true there.',
  )
}
