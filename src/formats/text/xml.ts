import { SaxesParser } from 'saxes'
import { Failure, Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { withoutEnd } from '../../text.ts'

/** Attributes of an element, by their names as they stand in the file. */
export type Attributes = Readonly<Record<string, string>>

/** Is told what a file has, and gathers what comes of it. Names come without a prefix. */
export interface XmlReader<T> {
  open(name: string, attributes: Attributes, line: number): void
  text(text: string): void
  close(name: string): void
  /** What was gathered since the last call. */
  take(): readonly T[]
  /** Nothing more is wanted of the file. */
  isOver?(): boolean
}

/** Characters that are parsed in one go. */
const PIECE = 32 * 1024

/**
 * Reads XML in UTF-8 as a stream. A DTD that declares anything is refused, so that no entity but
 * the five of XML exists; one elsewhere that is only named is never fetched. `isCut`: the file may
 * end anywhere. Throws Invalid with the line.
 */
export async function* readXml<T>(
  chunks: AsyncIterable<Buffer>,
  reader: XmlReader<T>,
  { isCut = false }: { readonly isCut?: boolean } = {},
): AsyncGenerator<readonly T[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: false })
  const parser = createParser(reader)
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    for (let at = 0; at < text.length; at += PIECE) parser.write(text.slice(at, at + PIECE))
    yield reader.take()
    if (reader.isOver?.()) return
  }
  if (!isCut) parser.end()
  yield reader.take()
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

function createParser<T>(reader: XmlReader<T>) {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let depth = 0
  /** Characters since anything began or ended. */
  let quiet = 0
  const fail = (reason: string) => new Invalid(`Line ${parser.line}: ${reason}.`)

  parser.on('doctype', (text) => {
    quiet = 0
    if (text.includes('[') || /<!/.test(text)) {
      throw fail('a document type with declarations of its own is refused')
    }
  })
  parser.on('opentag', ({ name, attributes }) => {
    quiet = 0
    if (++depth > limits.xmlDepth) throw fail(`nested deeper than ${limits.xmlDepth}`)
    reader.open(local(name), attributes as Attributes, parser.line)
  })
  parser.on('closetag', ({ name }) => {
    quiet = 0
    depth--
    reader.close(local(name))
  })
  parser.on('text', (text) => reader.text(text))
  parser.on('cdata', (text) => reader.text(text))

  /** What the parser itself refuses has its own words; its failures are the file's. */
  function attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (error instanceof Failure) throw error
      const reason = withoutEnd((error as Error).message, '. \n').slice(0, 200)
      throw fail(`not well-formed XML, ${reason.toWellFormed()}`)
    }
  }

  return {
    write(text: string) {
      quiet += text.length
      attempt(() => parser.write(text))
      if (quiet > limits.importRowBytes) {
        throw fail(`a text, a tag or a comment of more than ${limits.importRowBytes} characters`)
      }
    },
    end: () => attempt(() => parser.close()),
  }
}
