import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect, type Wire } from './http.ts'
import { isBulkRequest } from './recorder.ts'
import { openWrites, replayWrites, type Writes } from './writes.ts'

/** What an import reads, and the writes that Aisle makes of it. */
export interface LeastImport {
  /** Path of a file of jsonl, and the number of its rows. */
  readonly rows: string
  readonly products: number
  /** Path of the collected writes. */
  readonly writes: string
  /** Address of Elasticsearch. */
  readonly node: string
  readonly connections: number
}

/**
 * The least that an import on Node can do: parses each row, serializes a document as large as
 * Aisle's for it, and sends what Aisle sends. It checks and derives nothing, and writes no progress
 * of its own. Returns the seconds.
 */
async function importLeast(
  { rows, products, node, connections }: LeastImport,
  { writes, documents }: { writes: Writes; documents: readonly unknown[] },
): Promise<number> {
  const file = await open(rows)
  const lines = file.readLines()[Symbol.asyncIterator]()
  const target = connect(node, { connections })
  let sent = 0
  let parsed = 0
  // Each write follows its share of the rows.
  async function prepare({ body }: Wire): Promise<void> {
    sent += body?.length ?? 0
    while (parsed < Math.min(products, Math.ceil((products * sent) / writes.bytes))) {
      const document = documents[parsed++ % documents.length]
      JSON.parse((await lines.next()).value!)
      JSON.stringify(document)
    }
  }
  try {
    return await replayWrites(target, writes, connections, prepare)
  } finally {
    await target.close()
    await file.close()
  }
}

/** The documents of the largest bulk. */
async function largestBulk(writes: Writes): Promise<unknown[]> {
  let largest: Buffer = Buffer.alloc(0)
  for (let place = 0; place < writes.count; place++) {
    const wire = await writes.read(place)
    if (isBulkRequest(wire) && wire.body!.length > largest.length) largest = wire.body!
  }
  const lines = largest.toString('utf8').trimEnd().split('\n')
  return lines.filter((_, at) => at % 2 === 1).map((line) => JSON.parse(line))
}

/** Imports once for each request, and answers with the seconds as JSON. */
async function serveImport(least: LeastImport, port: number): Promise<void> {
  const writes = await openWrites(least.writes)
  const documents = await largestBulk(writes)
  const server = createServer(async (_, answer) => {
    const seconds = await importLeast(least, { writes, documents })
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ seconds }))
  })
  server.listen(port, '127.0.0.1', () => console.info('listening at', port))
}

if (import.meta.main) {
  const [least = '', port = ''] = process.argv.slice(2)
  await serveImport(JSON.parse(least), Number(port))
}
