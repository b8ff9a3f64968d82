import { type ByteSource, firstBytes, unpacked } from '../bytes/unpack.ts'
import type { FileRows, Format, OpenFile, OpenOptions, ReadingSettings } from '../format.ts'
import { BadRow } from '../rows/mapped-row.ts'
import { declaredEncoding } from './declared-encoding.ts'
import { toUtf8 } from './encoding.ts'
import { survey } from './survey.ts'

/** A surveyed text file. */
export interface TextFile {
  /** Its beginning. */
  readonly head: string
  /** Reads all of it in UTF-8, from the beginning. */
  read(): AsyncIterable<Buffer>
  /** The day as `YYYY-MM-DD`, on which values with a period must be valid. */
  readonly today: string
  /** Whether the file is cut and may end anywhere. */
  readonly isCut: boolean
}

/** The parts of reading a text file that depend on its type. */
export interface TextReader {
  /** The encoding declared at the beginning of a file; null for none. */
  declares?(head: string): string | null
  /** Reads the rows. Throws Invalid if its columns cannot be determined. */
  rows(file: TextFile, settings: ReadingSettings): FileRows | Promise<FileRows>
}

/** Opens text files, plain or packed. */
export const opensText =
  (reader: TextReader): Format['open'] =>
  async (file, settings, options) =>
    openText(await unpacked(file, settings.entry), reader, { settings, options })

/** Opens a text file. Throws NotFound, Invalid. */
export async function openText(
  source: ByteSource,
  reader: TextReader,
  { settings, options }: { settings: ReadingSettings; options: OpenOptions },
): Promise<OpenFile> {
  const { now, most } = options
  let isCut = source.isCut ?? false
  /** The position of the last read. */
  let position = 0
  let reading: AsyncGenerator<Buffer> | undefined
  const close = async () => {
    await reading?.return(undefined)
    await source.close?.()
  }
  async function* counted(): AsyncGenerator<Buffer> {
    position = 0
    const all = source.open()
    const cut = () => {
      isCut = true
    }
    for await (const chunk of most === undefined ? all : firstBytes(all, most, cut)) {
      position += chunk.length
      yield chunk
    }
  }
  const bytes = () => {
    reading = counted()
    return reading
  }
  try {
    const surveyed = await survey(bytes())
    const { head } = surveyed
    const encoding = declaredEncoding(reader.declares?.(head) ?? null, surveyed)
    const today = now.toISOString().slice(0, 10)
    const read = () => toUtf8(bytes(), encoding)
    const rows = await reader.rows({ head, read, today, isCut }, settings)
    return {
      ...rows,
      read: refusing(rows.read, encoding),
      notes: [...encodingNotes(encoding), ...rows.notes],
      bytes: surveyed.bytes,
      position: () => position,
      encoding,
      isCut,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function encodingNotes(encoding: string): string[] {
  if (encoding === 'utf-8') return []
  if (encoding !== 'utf-8-damaged') return [`Read as ${encoding}.`]
  return ['Read as utf-8, although some bytes are not valid utf-8.']
}

/** In a damaged file, refuses only rows with invalid bytes. */
function refusing(read: FileRows['read'], encoding: string): FileRows['read'] {
  if (encoding !== 'utf-8-damaged' && !encoding.startsWith('utf-16')) return read
  const name = encoding === 'utf-8-damaged' ? 'UTF-8' : 'UTF-16'
  return (row) => {
    if (row.text.includes('\ufffd')) throw new BadRow(`not valid ${name}`)
    return read(row)
  }
}
