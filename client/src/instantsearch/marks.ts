/** A part of a text, and whether it matched the query. */
export interface Part {
  readonly text: string
  readonly marked: boolean
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&#x2F;': '/',
}

const decode = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|#39|#x27|#x2F);/g, (entity) => ENTITIES[entity] ?? entity)

/** Splits Aisle's `highlight`, HTML with matches in `<em>`, into plain texts. */
export function partsOf(html: string): Part[] {
  return html
    .split('<em>')
    .flatMap((piece, at): Part[] => {
      if (at === 0) return [{ text: decode(piece), marked: false }]
      const [marked = '', rest = ''] = piece.split('</em>')
      return [
        { text: decode(marked), marked: true },
        { text: decode(rest), marked: false },
      ]
    })
    .filter(({ text }) => text !== '')
}
