import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises'
import type { Target, Wire } from './http.ts'
import { isBulkRequest } from './recorder.ts'

/** Recorded writes of an import in order; their bodies are in a file, since they may be large. */
export interface Writes {
  readonly count: number
  readonly bulks: number
  readonly bytes: number
  read(place: number): Promise<Wire>
  close(): Promise<void>
}

interface Entry extends Omit<Wire, 'body'> {
  readonly offset: number
  readonly length: number
}

const WRITES = /\/(_bulk|_doc|_create|_update)(\/|\?|$)/

export const isWrite = ({ method, path }: Wire): boolean => method !== 'GET' && WRITES.test(path)

/** Conditions hold only for the history that was recorded, and a raw stream does not wait. */
const LEFT_OUT = ['if_seq_no', 'if_primary_term', 'op_type', 'refresh']

/** The path of a write without conditions, as in a raw stream. */
export function unconditional(path: string): string {
  const url = new URL(path, 'http://localhost')
  for (const name of LEFT_OUT) url.searchParams.delete(name)
  const query = url.searchParams.toString()
  return url.pathname.replace('/_create/', '/_doc/') + (query === '' ? '' : `?${query}`)
}

/** Conditions in the lines of a bulk, which hold only once. */
const CONDITION = /,"if_seq_no":\d+,"if_primary_term":\d+/g

function unconditionalBody(wire: Wire): Buffer {
  const { body = Buffer.alloc(0) } = wire
  if (!isBulkRequest(wire) || !body.includes('"if_seq_no"')) return body
  return Buffer.from(body.toString('utf8').replace(CONDITION, ''))
}

/** The file with the places of the writes in another. */
const placesOf = (file: string): string => `${file}.json`

function writesIn(handle: FileHandle, entries: readonly Entry[]): Writes {
  const bulks = entries.filter(isBulkRequest).length
  const bytes = entries.reduce((sum, { length }) => sum + length, 0)
  return {
    count: entries.length,
    bulks,
    bytes,
    async read(place) {
      const { offset, length, ...wire } = entries[place]!
      if (length === 0) return wire
      const body = Buffer.allocUnsafe(length)
      await handle.read(body, 0, length, offset)
      return { ...wire, body }
    },
    close: () => handle.close(),
  }
}

/** Opens what another process collected in a file. */
export async function openWrites(file: string): Promise<Writes> {
  const entries = JSON.parse(await readFile(placesOf(file), 'utf8')) as Entry[]
  return writesIn(await open(file), entries)
}

/** Collects writes in a file; `done` returns them for replaying. */
export async function collectWrites(file: string) {
  const handle: FileHandle = await open(file, 'w+')
  const entries: Entry[] = []
  let end = 0
  let writing: Promise<unknown> = Promise.resolve()
  return {
    keep(wire: Wire): void {
      if (!isWrite(wire)) return
      const { method, path, headers } = wire
      const body = unconditionalBody(wire)
      const offset = end
      entries.push({ method, path: unconditional(path), headers, offset, length: body.length })
      end += body.length
      writing = writing.then(() => handle.write(body, 0, body.length, offset))
    },
    async done(): Promise<Writes> {
      await writing
      await writeFile(placesOf(file), JSON.stringify(entries))
      return writesIn(handle, entries)
    },
  }
}

/**
 * Sends all writes, `connections` at a time, each after `prepare`; returns the seconds. Throws if a
 * request is refused.
 */
export async function replayWrites(
  target: Target,
  writes: Writes,
  connections: number,
  prepare?: (wire: Wire) => Promise<void>,
): Promise<number> {
  const started = performance.now()
  let next = 0
  const worker = async () => {
    while (next < writes.count) {
      const wire = await writes.read(next++)
      await prepare?.(wire)
      const { status, body } = await target.send(wire)
      if (status >= 300) {
        throw new Error(`${wire.method} ${wire.path}: ${status} ${body.toString('utf8', 0, 500)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return (performance.now() - started) / 1_000
}
