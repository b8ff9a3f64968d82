import { DefaultLogger, LogLevel } from '@vendure/core'
import {
  createElasticsearchAdapter,
  ElasticsearchPlugin,
} from '@vendure-community/elasticsearch-plugin'
import { Sqlite } from './sqlite.js'

/**
 * A shop as its documentation sets one up for production, with the defaults of the plugin.
 * `exact`: words as they are written, without the fuzziness that the plugin gives each of them.
 */
export function configOf(
  { port, database, elasticsearch, indexPrefix, exact },
  { filling = false } = {},
) {
  const adapter = () => {
    const made = createElasticsearchAdapter({ clientOptions: elasticsearch })
    return filling ? gathering(withoutPing(made)) : withoutPing(made)
  }
  return {
    apiOptions: { port, hostname: '127.0.0.1', introspection: false },
    authOptions: {
      tokenMethod: 'bearer',
      superadminCredentials: { identifier: 'bench', password: 'bench-of-a-moment' },
    },
    dbConnectionOptions: {
      type: 'better-sqlite3',
      driver: Sqlite,
      database,
      enableWAL: true,
      statementCacheSize: 1_000,
      synchronize: filling,
      // Only while it is filled: a run that is killed begins anew anyhow.
      ...(filling ? { prepareDatabase: (opened) => opened.pragma('synchronous = OFF') } : {}),
    },
    logger: new DefaultLogger({ level: LogLevel.Error }),
    plugins: [
      ElasticsearchPlugin.init({
        adapter,
        // Filling it indexes everything at its end.
        bufferUpdates: filling,
        indexPrefix,
        indexSettings: { number_of_replicas: 0, 'requests.cache.enable': false },
        ...(exact ? { searchConfig: { mapQuery: withoutFuzziness } } : {}),
      }),
    ],
  }
}

/** The plugin asks `HEAD /` first, which the embedded engine does not have. */
function withoutPing(adapter) {
  adapter.ping = async () => ({ body: true })
  return adapter
}

const AT_ONCE = 2_000

/**
 * The plugin sends a bulk with a refresh for each product, which takes many times as long as all the
 * rest: its operations are gathered, and sent before it shows the new index.
 */
function gathering(adapter) {
  const bulk = adapter.bulk.bind(adapter)
  const { updateAliases } = adapter.indices
  let gathered = []
  let index
  const send = async () => {
    const { body } = await bulk({ index, body: gathered })
    if (body.errors) throw new Error(JSON.stringify(body.items[0]))
    gathered = []
  }
  adapter.bulk = async (params) => {
    index = params.index
    gathered.push(...params.body)
    if (gathered.length >= AT_ONCE) await send()
    return { body: { errors: false, items: [] } }
  }
  adapter.indices.updateAliases = async (params) => {
    if (gathered.length > 0) await send()
    return updateAliases(params)
  }
  return adapter
}

function withoutFuzziness(query) {
  const [words] = query.bool.must ?? []
  if (words?.multi_match) delete words.multi_match.fuzziness
  return query
}
