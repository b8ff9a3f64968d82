import { SaxesParser } from 'saxes'
import { Failure, Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { cut, withoutEnd } from '../../text.ts'

/** Attributes of an element, by their names in the file. */
export type Attributes = Readonly<Record<string, string>>

/** Size of an attribute besides its characters. */
const OVERHEAD = 100

/** Approximate memory that attributes take. */
export function sizeOf(attributes: Attributes): number {
  let size = 0
  for (const [name, value] of Object.entries(attributes)) {
    size += OVERHEAD + name.length + value.length
  }
  return size
}

/** Handles the events of a file. Names come without a prefix, which is empty for none. */
export interface XmlHandler {
  open(name: string, attributes: Attributes, line: number, prefix: string): void
  text(text: string): void
  close(name: string): void
  /** Whether the rest of the file is not needed. */
  isOver?(): boolean
}

/** Creates the handler of one file, which passes each item to `emit`. */
export type XmlReader<T> = (emit: (item: T) => void) => XmlHandler

/** Characters that are parsed at a time. Even few make a row of many columns. */
const PIECE = 8 * 1024
/** Characters of a name that a message shows. */
const SHOWN = 100

/**
 * Reads XML in UTF-8 as a stream. A DTD with declarations is refused, so that only the five
 * entities of XML exist, and an external one is never fetched. With `isCut`, the file may end
 * anywhere. Throws Invalid with the line.
 */
export async function* readXml<T>(
  chunks: AsyncIterable<Buffer>,
  reader: XmlReader<T>,
  { isCut = false }: { readonly isCut?: boolean } = {},
): AsyncGenerator<readonly T[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: false })
  let ready: T[] = []
  const handler = reader((item) => ready.push(item))
  const parser = createParser(handler)
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    for (let at = 0; at < text.length; at += PIECE) {
      parser.write(text.slice(at, at + PIECE))
      if (ready.length === 0) continue
      yield ready
      ready = []
    }
    if (handler.isOver?.()) return
  }
  if (!isCut) parser.end()
  yield ready
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1)
const prefixOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf(':')))

function createParser(handler: XmlHandler) {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let depth = 0
  /** Name and attributes so far of the last element. */
  let element = ''
  let attributes = 0
  /** Characters since the last event of the parser. */
  let quiet = 0
  const fail = (reason: string) => new Invalid(`Line ${parser.line}: ${reason}.`)

  parser.on('doctype', (text) => {
    quiet = 0
    if (text.includes('[') || /<!/.test(text)) {
      throw fail('a document type with its own declarations is not allowed')
    }
  })
  function checkName(name: string): void {
    if (name.length <= limits.xmlNameLength) return
    throw fail(`the name ${cut(name, SHOWN)} is longer than ${limits.xmlNameLength} characters`)
  }

  parser.on('opentagstart', ({ name }) => {
    checkName(name)
    element = name
    attributes = 0
  })
  parser.on('attribute', ({ name }) => {
    checkName(name)
    if (++attributes <= limits.xmlAttributes) return
    throw fail(`${cut(element, SHOWN)} has more than ${limits.xmlAttributes} attributes`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    quiet = 0
    if (++depth > limits.xmlDepth) throw fail(`nested deeper than ${limits.xmlDepth}`)
    handler.open(local(name), attributes as Attributes, parser.line, prefixOf(name))
  })
  parser.on('closetag', ({ name }) => {
    quiet = 0
    depth--
    handler.close(local(name))
  })
  parser.on('text', (text) => handler.text(text))
  parser.on('cdata', (text) => handler.text(text))

  /** Maps errors of the parser to Invalid; our own Failures pass. */
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
        throw fail(`a text, a tag or a comment is longer than ${limits.importRowBytes} characters`)
      }
    },
    end: () => attempt(() => parser.close()),
  }
}
