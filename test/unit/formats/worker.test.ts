import { setImmediate, setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Invalid } from '../../../src/errors.ts'
import { type StoredBytes, storedBuffer } from '../../../src/formats/bytes/stored-bytes.ts'
import type { ReadingSettings } from '../../../src/formats/format.ts'
import type { FileRow, RejectedRow, RowsRequest } from '../../../src/formats/worker/messages.ts'
import { openInWorker, type WorkerOptions } from '../../../src/formats/worker/open-in-worker.ts'
import { limits } from '../../../src/limits.ts'
import { Interrupted } from '../../../src/tasks/backoff.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'

const AS_FOUND: ReadingSettings = {
  ...{ delimiter: null, quote: '"', header: true, entry: null, sheet: null },
  ...{ columns: null, unmapped: null, vendor: 'V' },
}

const open = (text: string, more: Partial<WorkerOptions> = {}) =>
  openInWorker(storedBuffer(Buffer.from(text)), AS_FOUND, {
    ...{ fileType: 'csv', now: new Date('2026-11-29'), isCancelled: () => false },
    ...more,
  })

async function rowsOf(text: string, request: RowsRequest = {}): Promise<FileRow[]> {
  const file = await open(text)
  const rows: FileRow[] = []
  for await (const batch of file.rows(request)) rows.push(...batch.rows)
  await file.close()
  return rows
}

const LIST = `id,name,onHand\n${Array.from({ length: 1_200 }, (_, at) => `K${at},Drill,${at % 7 === 3 ? 'many' : at}`).join('\n')}\n`

test('a file is read row by row, and its rows are counted by column', async () => {
  const file = await open(LIST)
  expect(file).toMatchObject({ headings: ['id', 'name', 'onHand'], encoding: 'utf-8', notes: [] })
  expect(file.uses?.map(({ field }) => field)).toEqual(['id', 'name', 'vendor.onHand'])
  let seen = 0
  let values: readonly number[] = []
  const rejected: RejectedRow[] = []
  for await (const { rows, before, columnValues = [] } of file.rows({})) {
    expect(before).toBe(seen)
    for (const [at, { line, read }] of rows.entries()) {
      expect(line).toBe(seen + at + 2)
      if (typeof read === 'string') rejected.push({ line, number: seen + at + 1, reason: read })
      else expect(read?.id).toBe(`K${seen + at}`)
    }
    seen += rows.length
    values = columnValues
  }
  expect(seen).toBe(1_200)
  expect(values).toEqual([1_200, 1_200, 1_200])
  const lines = await file.rejectedLines(rejected.slice(0, 2), 1_200)
  expect(lines.map((line) => line.replace(/^(\d+),.*,(K)/, '$1 … $2'))).toEqual([
    '5 … K3,Drill,many\r\n',
    '12 … K10,Drill,many\r\n',
  ])
  await file.close()
})

const lengthOf = (values: readonly unknown[]): number => JSON.stringify(values).length

test('rows with very many values come in small batches', async () => {
  const names = Array.from({ length: 1_900 }, (_, at) => `attribute: ${at}`.padEnd(150, 'x'))
  const row = (at: number) => `K${at},Drill${',1'.repeat(names.length)}\n`
  const text = `id,name,${names.join(',')}\n${Array.from({ length: 200 }, (_, at) => row(at)).join('')}`
  const file = await open(text)
  const sizes: number[] = []
  for await (const { rows } of file.rows({})) sizes.push(lengthOf(rows.map(({ read }) => read)))
  await file.close()
  expect(sizes.length).toBeGreaterThan(40)
  expect(Math.max(...sizes)).toBeLessThan(1.5e6)
})

test('so do wide rows of a list of parts', async () => {
  const file = await open(`id\n${`${'x,'.repeat(1_500)}\n`.repeat(300)}`)
  const sizes: number[] = []
  for await (const { rows } of file.rows({ areCells: true })) {
    sizes.push(lengthOf(rows.map(({ cells }) => cells)))
  }
  await file.close()
  expect(sizes.length).toBeGreaterThan(1)
  expect(Math.max(...sizes)).toBeLessThan(1.5e6)
})

test('a batch has no more rows than are wanted when it is asked for', async () => {
  let wanted = 100
  const file = await open(LIST, { mostRows: () => wanted })
  const sizes: number[] = []
  for await (const { rows, before } of file.rows({ skip: 50 })) {
    expect(before).toBe(50 + sizes.reduce((sum, size) => sum + size, 0))
    sizes.push(rows.length)
    if (sizes.length === 7) wanted = Infinity
  }
  await file.close()
  // Rows of a format come 500 at a time, the first with the headings, and one batch is read ahead.
  expect(sizes).toEqual([100, 100, 100, 100, 49, 100, 100, 100, 200, 201, 0])
})

test('no more rows are read than are requested', async () => {
  expect(await rowsOf(LIST, { skip: 10, count: 110 })).toHaveLength(100)
})

test('an interrupted file continues after the rows that were read', async () => {
  const rows = await rowsOf(LIST, { skip: 700, columnValues: [700, 700, 700] })
  expect(rows).toHaveLength(500)
  expect(rows[0]).toMatchObject({ line: 702, read: { id: 'K700' } })
})

/** Two heads with a long value, which each variation takes anew from the other head. */
const slow = (rows: number, length: number) => {
  const head = (sku: string) => `variable,${sku},Name,1,"${'ab,'.repeat(length / 3)}${sku}",\n`
  const row = (_: unknown, at: number) => `variation,k${at},,1,,${at % 2 ? 'A' : 'B'}\n`
  const variations = Array.from({ length: rows }, row)
  return `Type,SKU,Name,Regular price,Categories,Parent\n${head('A')}${head('B')}${variations.join('')}`
}

test('a file whose rows take long to read blocks nobody', async () => {
  await rowsOf('id\nA\n')
  const text = slow(12, 300_000)
  const began = process.cpuUsage()
  let read = 0
  await expectStepsBelow(150, async () => {
    read = (await rowsOf(text)).length
  })
  const { user } = process.cpuUsage(began)
  expect(read).toBe(12)
  // All threads together took far longer.
  expect(user / 1_000).toBeGreaterThan(3 * 150)
})

test('reading ends within seconds when it is cancelled in the middle of a row', async () => {
  const text = slow(400, 900_000)
  let isCancelled = false
  const file = await open(text, { isCancelled: () => isCancelled })
  const reading = (async () => {
    for await (const _ of file.rows({}));
  })()
  const refused = expect(reading).rejects.toThrow(Interrupted)
  isCancelled = true
  await refused
  const began = performance.now()
  await file.close()
  expect(performance.now() - began).toBeLessThan(3_000)
  expect(await rowsOf('id\nA\n')).toHaveLength(1)
})

const options = { fileType: 'csv', now: new Date(), isCancelled: () => false }

test('a file that nobody can look through ends', async () => {
  const { fileMs } = limits
  onTestFinished(() => void Object.assign(limits, { fileMs }))
  Object.assign(limits, { fileMs: 100 })
  const silent: StoredBytes = {
    bytes: 10,
    async *read() {
      yield await new Promise<Buffer>(() => undefined)
    },
  }
  await expect(openInWorker(silent, AS_FOUND, options)).rejects.toThrow('takes too long')
})

/** Reads LIST, whose next rows take `ms` longer each time; `rests`: since reading rests. */
async function readSlowly(ms: number, rests = false) {
  let past = 0
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + past)
  onTestFinished(() => void vi.restoreAllMocks())
  const stored = { ...storedBuffer(Buffer.from(LIST)), restedMs: () => (rests ? past : 0) }
  const file = await openInWorker(stored, AS_FOUND, options)
  let rows = 0
  try {
    for await (const batch of file.rows({})) {
      rows += batch.rows.length
      // The next rows are being read.
      past += ms
    }
    const last = { line: rows + 1, number: rows, reason: 'no' }
    return await file.rejectedLines([last], rows)
  } finally {
    await file.close()
  }
}

test('a file whose rows take long in sum ends', async () => {
  await expect(readSlowly(0.6 * limits.fileMs)).rejects.toThrow('takes too long')
})

test('the rests of a file do not count for its time', async () => {
  expect(await readSlowly(0.6 * limits.fileMs, true)).toHaveLength(1)
})

test('a file that took too long, but has been read to its end, still has its lines', async () => {
  let past = 0
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + past)
  onTestFinished(() => void vi.restoreAllMocks())
  const file = await open('id,onHand\nA,many\n')
  for await (const { rows } of file.rows({})) if (rows.length > 0) past = 2 * limits.fileMs
  expect(await file.rejectedLines([{ line: 2, number: 1, reason: 'no' }], 1)).toHaveLength(1)
  await file.close()
})

const turnOf = (id: string) => ({
  organization: { id, parent: null },
  requests: { hasOthers: () => false },
  signal: new AbortController().signal,
})

test('requests of an organization take turns, and wait no longer than they may', async () => {
  const turn = turnOf('one')
  const first = await open(LIST, { turn })
  const second = await open(LIST, { turn: turnOf('two') })
  const waiting = open(LIST, { turn: { ...turn, signal: AbortSignal.timeout(50) } })
  await expect(waiting).rejects.toThrow('timeout')
  await first.close()
  await (await open(LIST, { turn })).close()
  await second.close()
})

test('while others are active, an organization rests after a file, which holds up nobody', async () => {
  const requests = { hasOthers: () => true }
  const read: string[] = []
  const reading = async (id: string) => {
    const file = await open(LIST, { turn: { ...turnOf(id), requests } })
    read.push(id)
    await setTimeout(limits.restMs)
    await file.close()
  }
  await reading('busy')
  await Promise.all(['busy', 'another', 'third'].map(reading))
  expect(read.toSorted()).toEqual(['another', 'busy', 'busy', 'third'])
  expect(read[1]).not.toBe('busy')
})

test('failures are of the same kind as without a thread', async () => {
  await expect(open('', { fileType: 'parquet' })).rejects.toThrow(Invalid)
  const gone = {
    bytes: 10,
    async *read() {
      yield* []
      throw new Invalid('The file is gone.')
    },
  }
  await expect(openInWorker(gone, AS_FOUND, options)).rejects.toThrow('The file is gone.')
  expect(await rowsOf('id\nA\n')).toHaveLength(1)
})

test('a file that cannot be closed is left early, and nobody waits for the failure', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  let left = 0
  const stored = storedBuffer(Buffer.from(LIST.repeat(20)))
  const broken: StoredBytes = {
    ...stored,
    async *read(range) {
      let isOver = false
      try {
        yield* stored.read(range)
        isOver = true
      } finally {
        if (!isOver) left++
        // As a stream that broke off and is cancelled.
        if (!isOver) await Promise.reject(new Error('terminated'))
      }
    },
  }
  const file = await openInWorker(broken, AS_FOUND, { ...options, most: 1_000 })
  await file.close()
  await setImmediate()
  process.off('unhandledRejection', note)
  expect(left).toBeGreaterThan(0)
  expect(unhandled).toEqual([])
})
