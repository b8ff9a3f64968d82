import { Invalid } from '../../errors.ts'
import type { Format } from '../format.ts'
import { inBatches } from '../rows/raw-row.ts'
import { opensText } from '../text/open-text.ts'
import { jsonlRows } from './lines.ts'
import { jsonRow } from './product-line.ts'

/** A product on each line, as returned by the API. */
export const jsonl: Format = {
  type: 'jsonl',
  endings: ['jsonl', 'ndjson'],
  unmapped: 'a jsonl file has no columns; each line is a product',
  rejectsAs: 'jsonl',
  open: opensText({
    rows: (file, { vendor, fallbackVendor = null }) => {
      if (/^\s*\[/.test(file.head)) {
        throw new Invalid(
          'The file is a JSON array. Write one product on each line, without brackets around the products and commas between them.',
        )
      }
      const ignored = new Set<string>()
      return {
        batches: inBatches(jsonlRows(file.read())),
        read: ({ text }) => jsonRow(text, vendor ?? fallbackVendor, ignored),
        original: ({ text }) => text.trim(),
        headings: [],
        notes: [],
        ignored: () => [...ignored],
        named: ({ text }) => namedValues(text),
      }
    },
  }),
  writer: {
    name: 'JSON lines file',
    description: 'Export one product per line, with all of its data.',
    mediaType: 'application/x-ndjson',
    fields: [],
    settings: () => null,
    options: async () => [],
    headings: async () => [],
    open: () => ({
      head: '',
      write: (product) => [`${JSON.stringify(product)}\n`],
    }),
  },
}

function namedValues(line: string): [string, string][] {
  try {
    const product: unknown = JSON.parse(line)
    if (typeof product !== 'object' || product === null) return []
    return Object.entries(product).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
  } catch {
    return []
  }
}
