/** A part of a text in which words were found. */
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

/** Plain texts of Aisle's `highlight`, which is HTML with the words in `<em>`. */
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
