import type { XmlReader } from '../text/xml.ts'

/** Maximum length of a text in a workbook, which is more than any field holds. */
const LONGEST = 32_768

/** Decodes escapes such as `_x000D_`, which represent characters that XML cannot hold. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text

/** Collects the pieces of a rich text, without phonetic guides. */
export function createTextGatherer() {
  let gathered = ''
  let inText = false
  let inPhonetic = false
  return {
    begin() {
      gathered = ''
    },
    open(name: string) {
      if (name === 'rPh') inPhonetic = true
      inText = name === 't' && !inPhonetic
    },
    text(text: string) {
      if (inText && gathered.length < LONGEST) gathered += text
    },
    close(name: string) {
      if (name === 'rPh') inPhonetic = false
      inText = false
    },
    taken: (): string => unescaped(gathered),
  }
}

/** Reads the texts of sharedStrings.xml. */
export const stringsReader: XmlReader<string> = (emit) => {
  const gatherer = createTextGatherer()
  return {
    open(name) {
      if (name === 'si') gatherer.begin()
      gatherer.open(name)
    },
    text: gatherer.text,
    close(name) {
      gatherer.close(name)
      if (name === 'si') emit(gatherer.taken())
    },
  }
}
