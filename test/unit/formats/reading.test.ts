import { randomFillSync } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { storedBuffer, storedFile } from '../../../src/formats/bytes/stored-bytes.ts'
import { type ByteSource, unpacked, unpackedToDisk } from '../../../src/formats/bytes/unpack.ts'
import { jsonlRows } from '../../../src/formats/jsonl/lines.ts'
import { formatOf } from '../../../src/formats/registry.ts'
import { targetOf } from '../../../src/formats/rows/fields.ts'
import type { RawRow } from '../../../src/formats/rows/raw-row.ts'
import { createEncodingJudge, type Encoding, toUtf8 } from '../../../src/formats/text/encoding.ts'
import { survey } from '../../../src/formats/text/survey.ts'
import { limits } from '../../../src/limits.ts'
import { createDirectoryStore } from '../../../src/platform/directory-store.ts'
import type { FileStore } from '../../../src/platform/file-store.ts'
import { zipFile } from '../../support/zip-file.ts'

let files: FileStore
beforeAll(async () => {
  files = createDirectoryStore(await mkdtemp(join(tmpdir(), 'aisle-reading-')))
})

async function* pieces(bytes: Buffer, size = 1 << 20): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function stored(bytes: Buffer, entry: string | null = null): Promise<ByteSource> {
  const id = crypto.randomUUID()
  await files.write(id, pieces(bytes), Number.MAX_SAFE_INTEGER)
  return unpacked(storedFile(files, { id, bytes: bytes.length }), entry)
}

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(Buffer.from(chunk))
  return Buffer.concat(all).toString('utf8')
}

const reading = (fileType: string) => ({
  ...{ fileType, delimiter: '\t', quote: '\u0001', header: false, entry: null, sheet: null },
  ...{ columns: [{ index: 0, target: targetOf('name', null)! }], vendor: 'Nord' },
})

const text = 'id,name\n1,Tisch\n2,Bölt\n'
const part = (name: string, content = text) => ({ name, content: Buffer.from(content) })
const inZip = { name: 'a.zip', content: zipFile([part('a.csv')]) }

describe('a file is decompressed:', () => {
  test.each([
    ['plain', Buffer.from(text)],
    ['gzip', gzipSync(text)],
    [
      'gzip of several members',
      Buffer.concat([gzipSync(text.slice(0, 9)), gzipSync(text.slice(9))]),
    ],
    ['zip', zipFile([part('a.csv')])],
    ['zip, stored', zipFile([{ ...part('a.csv'), stored: true }])],
    ['zip with folders', zipFile([part('x/', ''), part('x/a.csv'), part('__MACOSX/x/._a', 'z')])],
  ])('%s, each time it is read', async (_, bytes) => {
    const source = await stored(bytes)
    expect(await textOf(source.open())).toBe(text)
    expect(await textOf(source.open())).toBe(text)
  })

  test.each([
    ['gzip in gzip', gzipSync(gzipSync(text))],
    ['zip in gzip', gzipSync(zipFile([part('a.csv')]))],
    ['gzip in zip', zipFile([{ name: 'a.csv.gz', content: gzipSync(text) }])],
    ['zip in zip, stored', zipFile([{ ...inZip, stored: true }])],
  ])('but not %s, unless a workbook is expected', async (_, bytes) => {
    const source = await stored(bytes)
    await expect(textOf(source.open())).rejects.toThrow(
      'The archive contains another archive. Send the inner file itself.',
    )
    const inner = await unpackedToDisk(storedBuffer(bytes), null)
    expect(inner.file.bytes).toBeGreaterThan(0)
    await inner.close()
  })

  test('the named entry of several in an archive', async () => {
    const zip = zipFile([part('a.csv', 'no'), part('b.csv')])
    expect(await textOf((await stored(zip, 'b.csv')).open())).toBe(text)
    await expect(stored(zip)).rejects.toThrow(
      'several files. Set zippedFile to one of them: a.csv, b.csv',
    )
    await expect(stored(zip, 'c.csv')).rejects.toThrow(
      'the archive has no file c.csv; it has a.csv, b.csv',
    )
  })

  test('but not one of several with its name', async () => {
    const twice = [part('a.csv', 'no'), part('a.csv')]
    const message =
      'The zip archive has several files named a.csv. Pack it again with only one of them.'
    await expect(stored(zipFile(twice))).rejects.toThrow(message)
    await expect(stored(zipFile([...twice, part('b.csv')]), 'a.csv')).rejects.toThrow(message)
    const zip = zipFile([...twice, part('b.csv')])
    expect(await textOf((await stored(zip, 'b.csv')).open())).toBe(text)
    await expect(stored(zip)).rejects.toThrow('Set zippedFile to one of them: a.csv, b.csv')
  })

  test.each([
    ['a path out of the archive', [part('../a.csv')], 'invalid relative path'],
    ['an absolute path', [part('/etc/passwd')], 'absolute path'],
    ['an unsafe name beside a good one', [part('a.csv'), part('x/../../b')], 'relative path'],
    ['a symbolic link', [{ ...part('a.csv'), mode: 0o120777 }], 'symbolic link'],
    ['encryption', [{ ...part('a.csv'), flags: 1 }], 'encrypted'],
    ['nothing', [], 'is empty'],
    [
      'too many entries',
      Array.from({ length: limits.zipEntries + 1 }, (_, i) => part(`${i}`, '')),
      'more than 1000 entries',
    ],
    [
      'names that are too long',
      Array.from({ length: 20 }, (_, i) => part(`${'x'.repeat(60_000)}${i}`, '')),
      'names in the zip archive have more than',
    ],
  ])('but not an archive with %s', async (_, parts, message) => {
    await expect(stored(zipFile(parts))).rejects.toThrow(message)
  })

  test('long names in an archive of several files are cut, and only the first ones are listed', async () => {
    const names = Array.from({ length: 11 }, (_, at) => `${at}${'n'.repeat(60_000)}`)
    const shown = names.slice(0, 10).map((name) => `${name.slice(0, 199)}…`)
    await expect(stored(zipFile(names.map((name) => part(name))))).rejects.toThrow(
      `one of them: ${shown.join(', ')} …`,
    )
  })

  test('but not half an archive', async () => {
    const zip = zipFile([part('a.csv')])
    await expect(stored(zip.subarray(0, zip.length - 10))).rejects.toThrow(
      /^The zip archive cannot be read: .*[^.]\.$/,
    )
  })
})

describe('a stored file', () => {
  test('can be read in any part as it was written', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 251))
    await files.write('parts', pieces(bytes, 100_003), bytes.length)
    const near = fc.constantFrom(0, 1, 65_535, 65_536, 65_537, 131_072, 299_999, 300_000, 300_001)
    const place = fc.oneof(near, fc.nat(300_000))
    await fc.assert(
      fc.asyncProperty(place, place, async (start, end) => {
        const read: Buffer[] = []
        for await (const piece of storedFile(files, { id: 'parts', bytes: 300_000 }).read({
          start,
          end,
        })) {
          read.push(Buffer.from(piece))
        }
        expect(Buffer.concat(read).equals(bytes.subarray(start, Math.max(start, end)))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  const lines = Array.from({ length: 20_000 }, (_, at) => `{"id":"${at}","name":"Bölt ${at ** 3}"}`)
  const content = Buffer.from(lines.join('\n'))

  test.each([
    ['plain', content],
    ['gzip', gzipSync(content)],
    ['zip', zipFile([{ name: 'a', content }])],
    ['zip, stored', zipFile([{ name: 'a', content, stored: true }])],
  ])('keeps all rows that were read unchanged (%s)', async (_, bytes) => {
    for (const fileType of ['jsonl', 'tsv'] as const) {
      const id = crypto.randomUUID()
      await files.write(id, pieces(bytes), Number.MAX_SAFE_INTEGER)
      const rows = await formatOf(fileType)!.open(
        storedFile(files, { id, bytes: bytes.length }),
        reading(fileType),
        { now: new Date() },
      )
      const all: RawRow[] = []
      for await (const batch of rows.batches) all.push(...batch)
      expect(all.map(({ text }) => text)).toEqual(lines)
    }
  })
})

describe('a decompression bomb is refused:', () => {
  const zeroes = Buffer.alloc(90 * 1024 * 1024)

  test.each([
    ['gzip', gzipSync(zeroes)],
    ['zip', zipFile([{ name: 'a.csv', content: zeroes }])],
  ])('%s', async (_, bytes) => {
    const source = await stored(bytes)
    await expect(survey(source.open())).rejects.toThrow('more than 200 times its size')
  })

  test('an archive with padding in another one', async () => {
    const content = Buffer.alloc(70 * 1024 * 1024)
    const inner = zipFile([{ name: 'a.csv', content, padding: 2 * 1024 * 1024 }])
    expect(inner.length * limits.importRatio).toBeGreaterThan(content.length)
    const { file, close } = await unpackedToDisk(storedBuffer(gzipSync(inner)), null)
    const source = await unpacked(file, null)
    await expect(survey(source.open())).rejects.toThrow('more than 200 times its size')
    await close()
  })

  test('a file that would take more of the disk than an upload may', async () => {
    const { fileBytes } = limits
    Object.assign(limits, { fileBytes: 1_000 })
    try {
      const unpacking = unpackedToDisk(storedBuffer(gzipSync(Buffer.alloc(1_001))), null)
      await expect(unpacking).rejects.toThrow('may unpack to at most 1000 bytes')
    } finally {
      Object.assign(limits, { fileBytes })
    }
  })

  test('but not one that its size explains', async () => {
    const content = Buffer.alloc(70 * 1024 * 1024)
    randomFillSync(content, 0, 1024 * 1024)
    const inner = zipFile([{ name: 'a.csv', content }])
    const { file, close } = await unpackedToDisk(storedBuffer(gzipSync(inner)), null)
    const source = await unpacked(file, null)
    expect((await survey(source.open())).bytes).toBe(content.length)
    await close()
  })
})

describe('a preview', () => {
  const look = async (bytes: Buffer) => survey((await stored(bytes)).open())
  const long = Array.from({ length: 20_000 }, (_, i) => `${i},${Math.sin(i)}\n`).join('')

  test('has size, encoding and beginning', async () => {
    expect(await look(Buffer.from(text))).toEqual({
      bytes: Buffer.byteLength(text),
      encoding: 'utf-8',
      head: text,
    })
  })

  test.each<[string, () => Buffer]>([
    ['that breaks off', () => gzipSync(long).subarray(0, 50_000)],
    ['that breaks off in its last byte', () => gzipSync(text).subarray(0, -1)],
    ['with junk at its end', () => Buffer.concat([gzipSync(long), Buffer.alloc(1_000, 'junk')])],
    ['of which a byte is another one', () => gzipSync(text).fill(1, 14, 15)],
    [
      'with another checksum',
      () => {
        const wrong = zipFile([part('a.csv')])
        wrong.writeUInt32LE(1, 14)
        wrong.writeUInt32LE(1, wrong.indexOf(Buffer.from('504b0102', 'hex')) + 16)
        return wrong
      },
    ],
  ])('refuses an archive %s', async (_, bytes) => {
    await expect(look(bytes())).rejects.toThrow('The archive is damaged or incomplete.')
  })

  test('of the beginning of an archive shows what is available', async () => {
    const cut = storedBuffer(gzipSync(long).subarray(0, 50_000), true)
    const { bytes } = await survey((await unpacked(cut, null)).open())
    expect(bytes).toBeGreaterThan(50_000)
  })

  test('ignores zeros behind an archive', async () => {
    const padded = Buffer.concat([gzipSync(text), Buffer.alloc(100_000)])
    expect(await look(padded)).toMatchObject({ bytes: Buffer.byteLength(text) })
  })
})

describe('the encoding of a file', () => {
  const judge = (bytes: Buffer, size = 3) => {
    const judging = createEncodingJudge()
    for (let at = 0; at < bytes.length; at += size) judging.see(bytes.subarray(at, at + size))
    return judging.verdict()
  }
  const latin = Buffer.from('Bölt, Käse, 5 £', 'latin1')

  test.each<[string, Buffer, Encoding]>([
    ['ASCII', Buffer.from('abc'), 'utf-8'],
    ['UTF-8', Buffer.from('Bölt €5 😀 漢字'), 'utf-8'],
    ['Latin-1', latin, 'windows-1252'],
    [
      'UTF-8 with one bad byte',
      Buffer.from([...Buffer.from('Bölt €5 äöü'), 0xe9, 0x20]),
      'utf-8-damaged',
    ],
    ['cut in a character', Buffer.from('ab€').subarray(0, 4), 'windows-1252'],
    ['nothing', Buffer.alloc(0), 'utf-8'],
  ])('%s, in small chunks and as a whole', (_, bytes, encoding) => {
    expect(judge(bytes)).toBe(encoding)
    expect(judge(bytes, 1000)).toBe(encoding)
  })

  test.each<[string, Buffer, Encoding]>([
    ['UTF-8 with BOM', Buffer.from(`\ufeff${text}`), 'utf-8'],
    ['UTF-16 LE with BOM', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
    ['UTF-16 BE with BOM', Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'utf-16be'],
    ['UTF-16 LE without', Buffer.from(text, 'utf16le'), 'utf-16le'],
    ['UTF-16 BE without', Buffer.from(text, 'utf16le').swap16(), 'utf-16be'],
    ['Windows-1252', Buffer.from(text, 'latin1'), 'windows-1252'],
  ])('%s is decoded to the same text', async (_, bytes, encoding) => {
    expect(judge(bytes, 1 << 20)).toBe(encoding)
    expect(await textOf(toUtf8(pieces(bytes), encoding))).toBe(text)
  })
})

test('JSON lines: blank ones are skipped, a huge one is reported', async () => {
  const huge = `{"id":"huge","name":"${'x'.repeat(limits.importRowBytes)}"`
  const bytes = Buffer.from(`{"a":1}\r\n\n${huge}\n{"b":2}`)
  for (const size of [1000, 1 << 16]) {
    const rows = []
    for await (const chunk of jsonlRows(pieces(bytes, size))) rows.push(...chunk)
    expect(rows.map(({ line, problem }) => [line, problem])).toEqual([
      [1, undefined],
      [3, `the line is larger than ${limits.importRowBytes} bytes`],
      [4, undefined],
    ])
    expect(rows[0]!.text.trim()).toBe('{"a":1}')
    expect(rows[1]!.text).toMatch(/^{"id":"huge","name":"x+$/)
    expect(rows[2]!.text).toBe('{"b":2}')
  }
})
