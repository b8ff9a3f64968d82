import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createElastic, type Elastic } from '../src/elastic/client.ts'
import { elasticsearchForTests } from '../test/support/elasticsearch.ts'
import { type Format, headOf, lineOf } from './catalog/lines.ts'
import { productAt } from './catalog/product.ts'
import type { Options } from './options.ts'
import { type ServiceOptions, stopServices } from './service.ts'

/** Resources that all parts of one run share. */
export interface Session<O = Options> {
  readonly options: O
  readonly node: string
  readonly ca?: string
  readonly say: (line: string) => void
  /** Direct access to Elasticsearch under an index prefix of this run. */
  elastic(name: string): Elastic
  /** The index prefix for a name; all prefixes of one run begin alike. */
  prefix(name: string): string
  /** Path of a file with `products` products, written on first use; jsonl by default. */
  productFile(products: number, format?: Format): Promise<string>
  /** The same for products `first` to `first + products - 1`, as gzipped jsonl. */
  packedFile(products: number, first: number): Promise<string>
  path(name: string): string
  /**
   * Options for a service of this run: Elasticsearch's address, an index prefix and a fresh data
   * folder.
   */
  serviceOptions(name: string, node?: string): ServiceOptions
  /** Deletes all indices under one prefix. */
  drop(name: string): Promise<void>
  close(): Promise<void>
}

/**
 * The indices of a run begin with `run`, by default a unique name; `keep` leaves them at the end.
 */
export async function openSession<O>(
  options: O,
  say: (line: string) => void,
  { run = `bench-${randomBytes(3).toString('hex')}`, keep = false } = {},
): Promise<Session<O>> {
  const connection = await elasticsearchForTests()
  const folder = await mkdtemp(join(tmpdir(), 'aisle-bench-'))
  const used = new Set<string>()
  const opened = new Map<string, Elastic>()
  let services = 0
  const files = new Map<string, Promise<string>>()

  const prefix = (name: string) => {
    used.add(name)
    return `${run}-${name}`
  }
  const elastic = (name: string) => {
    const known = opened.get(name)
    if (known) return known
    const { node, auth, ca } = connection
    const settings = { node, ...(auth && { auth }), ...(ca && { ca }), prefix: prefix(name) }
    const made = createElastic({ ...settings, shards: 1, replicas: 0 })
    opened.set(name, made)
    return made
  }

  async function drop(name: string): Promise<void> {
    const { client } = elastic(name)
    const found = await client.cat.indices({
      index: `${prefix(name)}-*`,
      format: 'json',
      h: 'index',
    })
    for (const { index } of found) await client.indices.delete({ index: index! })
    await client.indices.deleteIndexTemplate({ name: `${prefix(name)}-*` }, { ignore: [404] })
  }

  return {
    options,
    node: connection.node,
    ...(connection.ca ? { ca: connection.ca } : {}),
    say,
    elastic,
    prefix,
    path: (name) => join(folder, name),
    serviceOptions: (name, node = connection.node) => ({
      node,
      prefix: prefix(name),
      dataDir: join(folder, `service-${++services}`),
    }),
    productFile(products, format = 'jsonl') {
      const path = join(folder, `products-${products}.${format}`)
      const made = files.get(path) ?? writeProducts(path, lines({ products, format }))
      files.set(path, made)
      return made
    },
    packedFile: (products, first) =>
      writeProducts(
        join(folder, `products-${first}-${products}.jsonl.gz`),
        lines({ first, products, format: 'jsonl' }),
        createGzip({ level: 1 }),
      ),
    drop,
    async close() {
      if (!keep) for (const name of used) await drop(name)
      for (const { client } of opened.values()) await client.close()
      await rm(folder, { recursive: true, force: true })
      await connection.stop()
    },
  }
}

/** When a run is interrupted, stops its services and removes its indices and files. */
export function closeWhenInterrupted(
  session: Pick<Session, 'close'>,
  say: (line: string) => void,
): void {
  const interrupted = () => {
    say('stopping')
    stopServices()
      .then(() => session.close())
      .finally(() => process.exit(130))
  }
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', interrupted)
}

async function writeProducts(
  file: string,
  text: Iterable<string>,
  packed: Transform = new PassThrough(),
): Promise<string> {
  await pipeline(Readable.from(text), packed, createWriteStream(file))
  return file
}

interface Lines {
  readonly products: number
  readonly first?: number
  readonly format: Format
}

function* lines({ products, first = 0, format }: Lines): Generator<string> {
  const AT_ONCE = 200
  yield headOf(format)
  for (let done = 0; done < products; done += AT_ONCE) {
    const count = Math.min(AT_ONCE, products - done)
    yield Array.from({ length: count }, (_, i) => lineOf(format, productAt(first + done + i))).join(
      '',
    )
  }
}
