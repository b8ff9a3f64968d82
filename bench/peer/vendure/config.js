import { DefaultLogger, LogLevel } from '@vendure/core'
import {
  createElasticsearchAdapter,
  ElasticsearchPlugin,
} from '@vendure-community/elasticsearch-plugin'
import { Sqlite } from './sqlite.js'

/**
 * Configuration of a production shop as its documentation describes it, with the defaults of the
 * plugin. `exact` matches words as written, without the fuzziness that the plugin adds to each.
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
      // Only while the database is filled: a run that is killed starts over anyway.
      ...(filling ? { prepareDatabase: (opened) => opened.pragma('synchronous = OFF') } : {}),
    },
    logger: new DefaultLogger({ level: LogLevel.Error }),
    plugins: [
      ElasticsearchPlugin.init({
        adapter,
        // Filling the database indexes everything at its end.
        bufferUpdates: filling,
        indexPrefix,
        indexSettings: { number_of_replicas: 0, 'requests.cache.enable': false },
        ...(exact ? { searchConfig: { mapQuery: withoutFuzziness } } : {}),
      }),
    ],
  }
}

/** The plugin first sends `HEAD /`, which the embedded engine does not support. */
function withoutPing(adapter) {
  adapter.ping = async () => ({ body: true })
  return adapter
}

const AT_ONCE = 2_000

/**
 * The plugin sends a bulk with a refresh for each product, which takes many times as long as all
 * else. This gathers its operations and sends them before it switches to the new index.
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
