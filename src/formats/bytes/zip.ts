import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { Failure, Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { listed, withoutEnd } from '../../text.ts'
import { damagedArchive, inflated } from './inflate.ts'
import { createRangeReader, type StoredBytes } from './stored-bytes.ts'

const SIGNATURES = ['504b0304', '504b0506']
const SYMBOLIC_LINK = 0o120000
const FILE_TYPE = 0o170000
const STORED = 0

export const isZip = (head: Buffer): boolean => SIGNATURES.includes(head.toString('hex', 0, 4))

/** Reads the directory in large pieces, since each read may be a call to another thread. */
class StoredReader extends RandomAccessReader {
  readonly #read: ReturnType<typeof createRangeReader>

  constructor(file: StoredBytes) {
    super()
    this.#read = createRangeReader(file)
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#bytes(start, end), { objectMode: false })
  }

  async *#bytes(start: number, end: number): AsyncGenerator<Buffer> {
    yield await this.#read(start, end)
  }
}

/** The names of all files in an archive, in its order. Throws Invalid. */
export const zipNames = (file: StoredBytes): Promise<string[]> =>
  within(file, async (archive) => (await entriesOf(archive)).filter(isFile).map(nameOf))

/**
 * Finds the wanted file of a zip archive, or its only one. Throws Invalid, also for an archive with
 * an unsafe name in it, although nothing is written to disk.
 */
export const zipEntry = (file: StoredBytes, wanted: string | null) =>
  within(file, async (archive) => {
    const found = choose(await entriesOf(archive), wanted)
    check(found)
    const { fileDataStart: start } = await archive.readLocalFileHeaderPromise(found, {
      minimal: true,
    })
    const packed = () => file.read({ start, end: start + found.compressedSize })
    return { packedBytes: found.compressedSize, open: () => verified(packed, found) }
  })

async function within<T>(file: StoredBytes, look: (archive: ZipFile) => Promise<T>): Promise<T> {
  const archive = await fromRandomAccessReaderPromise(new StoredReader(file), file.bytes).catch(
    (error: unknown) => {
      throw unreadable(error)
    },
  )
  try {
    return await look(archive)
  } catch (error) {
    throw error instanceof Failure ? error : unreadable(error)
  } finally {
    archive.close()
  }
}

const nameOf = ({ fileName }: Entry): string => fileName

const unreadable = (error: unknown) =>
  new Invalid(`The zip archive cannot be read: ${sentence((error as Error).message)}`)

const sentence = (message: string): string => `${withoutEnd(message.slice(0, 200), '. \n')}.`

async function entriesOf(archive: ZipFile): Promise<Entry[]> {
  if (archive.entryCount > limits.zipEntries) {
    throw new Invalid(`The zip archive has more than ${limits.zipEntries} entries.`)
  }
  const entries: Entry[] = []
  let bytes = 0
  for await (const entry of archive.eachEntry()) {
    bytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    if (bytes > limits.zipNameBytes) {
      throw new Invalid(
        `The file names in the zip archive have more than ${limits.zipNameBytes} bytes.`,
      )
    }
    entries.push(entry)
  }
  return entries
}

const isFile = ({ fileName }: Entry): boolean =>
  !fileName.endsWith('/') && !fileName.startsWith('__MACOSX/')

function choose(entries: readonly Entry[], wanted: string | null): Entry {
  const all = entries.filter(isFile)
  const names = [...new Set(all.map(nameOf))]
  const has = listed(names)
  if (wanted === null && names.length > 1) {
    throw new Invalid(`The zip archive has several files. Set zippedFile to one of them: ${has}`)
  }
  const name = wanted ?? names[0]
  if (name === undefined) throw new Invalid('The zip archive is empty.')
  const [found, ...others] = all.filter(({ fileName }) => fileName === name)
  if (!found) throw new Invalid(`zippedFile: the archive has no file ${name}; it has ${has}`)
  if (others.length === 0) return found
  const called = listed([name])
  throw new Invalid(
    `The zip archive has several files named ${called}. Pack it again with only one of them.`,
  )
}

function check(entry: Entry): void {
  if (entry.isEncrypted()) throw new Invalid('The zip archive is encrypted.')
  if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK) {
    throw new Invalid('The file in the zip archive is a symbolic link.')
  }
  if (!entry.canDecodeFileData()) {
    throw new Invalid(
      'The zip archive uses a compression that is not supported. Supported: deflate.',
    )
  }
}

/** The unpacked bytes. Throws Invalid if they do not match the directory of the archive. */
async function* verified(
  packed: () => AsyncGenerator<Buffer>,
  { compressionMethod, crc32: promised }: Entry,
): AsyncGenerator<Buffer> {
  let sum = 0
  for await (const chunk of compressionMethod === STORED ? packed() : inflated(packed())) {
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (sum !== promised) throw damagedArchive()
}
