import { flushCompileCache } from 'node:module'
import { createElastic } from '../../src/elastic/client.ts'
import { listen } from '../../src/http/server.ts'
import { createDirectoryStore } from '../../src/platform/directory-store.ts'
import { createLog } from '../../src/platform/log.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { createService } from '../../src/service.ts'
import { testSecrets } from '../support/secrets.ts'

/** Settings of a separate process, passed as JSON in its first argument. */
export interface InstanceSettings {
  readonly name: string
  readonly node: string
  readonly prefix: string
  /** Replicas of each index; 0 if absent. */
  readonly replicas?: number
  /** The folder of files that instances share. */
  readonly folder: string
  /** Prefix of the addresses of files, the same for all instances. */
  readonly publicUrl: string
  /** Milliseconds by which this instance's clock is off. */
  readonly skewMs: number
  readonly leaseMs: number
  /** Number of concurrent tasks; 0 for an instance that only answers. */
  readonly concurrency: number
  /** Value of OUTBOUND_ALLOW. */
  readonly allow?: string
}

// Standard input ends when the parent process is gone.
process.stdin.on('end', () => process.exit(0)).resume()

const given = JSON.parse(process.argv[2]!) as InstanceSettings
const server = await listen({ port: 0, host: '127.0.0.1', fetch: () => new Response(null) })
const service = createService({
  elastic: createElastic({ replicas: 0, ...given, shards: 1 }),
  files: createDirectoryStore(given.folder),
  clock: { now: () => new Date(Date.now() + given.skewMs) },
  log: createLog('fatal'),
  publicUrl: given.publicUrl,
  secrets: testSecrets,
  outbound: createOutbound({ allow: given.allow }),
  tasks: {
    holder: given.name,
    leaseMs: given.leaseMs,
    concurrency: given.concurrency,
    pollMs: 200,
    beatMs: 50,
  },
})
server.answerWith(service.fetch)
service.start()
process.on('SIGTERM', async () => {
  await server.close()
  await service.stop()
  process.exit(0)
})
// A process that is killed would not write the compile cache for the next one.
flushCompileCache()
process.stdout.write(`http://127.0.0.1:${server.port}\n`)
