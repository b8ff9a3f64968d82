/** What people call an extension that comes with Aisle: what it does, and its fields, each with a hint. */
interface Words {
  readonly description: string
  readonly fields: Readonly<Record<string, readonly [label: string, hint: string]>>
}

const SEARCH = [
  'Search filter',
  'JSON body of a search. Only matching products are exported.',
] as const

const BUILT_IN: Readonly<Record<string, Words>> = {
  file: {
    description: 'Import products and offers from an uploaded file or a URL.',
    fields: {
      fileUrl: ['File URL', 'An HTTP or HTTPS address, or the URL of an uploaded file.'],
      username: ['Username', 'If the address requires sign-in.'],
      password: ['Password', 'If the address requires sign-in.'],
      fileType: ['File type', 'Default: detected from the file name.'],
      delimiter: ['Delimiter', 'Default: detected.'],
      quoteChar: ['Quote character', 'Default: ".'],
      header: ['First row is a header', 'Default: yes.'],
      zippedFile: ['File in archive', 'Required if a ZIP contains several files.'],
      sheet: ['Worksheet', 'Default: the first visible sheet.'],
      createProducts: ['Create new products', 'Default: yes.'],
      updateMetadata: ['Update existing products', 'Default: yes. If no, only prices and stock.'],
      normalizeManufacturerName: ['Unify manufacturer names', 'Default: no.'],
      fullFile: [
        'File contains all offers of the vendor',
        'Default: no. If yes, offers missing from the file are removed.',
      ],
      missing: ['Products left without offers', 'Enter “keep”, “hide” or “delete”. Default: keep.'],
      pictures: ['Images', 'Enter “keep” to link images, or “fetch” to copy them. Default: keep.'],
    },
  },
  csv: {
    description: 'Export products and offers as a table for spreadsheets.',
    fields: {
      columns: ['Columns', 'Separate with commas. Default: all columns with values.'],
      delimiter: ['Delimiter', ''],
      encoding: ['Encoding', 'Some spreadsheets need a byte order mark.'],
      search: SEARCH,
    },
  },
  jsonl: {
    description: 'Export one product per line, with all of its data.',
    fields: { search: SEARCH },
  },
  http: {
    description: 'Post products in pages to a URL, signed with Standard Webhooks.',
    fields: {
      url: ['Endpoint URL', ''],
      secret: ['Signing secret', 'whsec_ followed by at least 16 bytes in Base64.'],
      pageSize: ['Products per page', ''],
      search: SEARCH,
    },
  },
  bom: {
    description:
      'Find products for a list of part numbers, manufacturers, keywords and quantities.',
    fields: {
      text: ['List', 'One product per line.'],
      fileUrl: ['List file URL', 'URL of an uploaded list.'],
      catalog: ['Catalog', 'Default: the default catalog.'],
    },
  },
  similar: {
    description:
      'Products of the same category with similar values and prices, from any manufacturer.',
    fields: {},
  },
  together: {
    description: 'Accessories: products that are often in the same workspaces.',
    fields: {},
  },
}

const wordsOf = (id: string): Words | undefined =>
  Object.hasOwn(BUILT_IN, id) ? BUILT_IN[id] : undefined

/** What an extension does; of others than built-in ones their own words. */
export const descriptionOf = (id: string, description: string | null): string =>
  wordsOf(id)?.description ?? description ?? ''

/** What a field is called, and a hint that may be empty. */
export function fieldWords(
  id: string,
  {
    field,
    description,
    optional,
  }: {
    readonly field: string
    readonly description: string | null
    readonly optional: boolean
  },
): readonly [label: string, hint: string] {
  const fields = wordsOf(id)?.fields ?? {}
  const [label = description ?? field, hint = ''] = Object.hasOwn(fields, field)
    ? fields[field]!
    : []
  return [label, hint || (optional ? 'Optional.' : '')]
}
