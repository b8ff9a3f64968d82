import { parseArgs } from 'node:util'
import { withoutEnd } from '../text.ts'

export const USAGE = `usage: npm run import -- FILE --catalog NAME [options]

  --organization ID     when the key reaches several organizations
  --type TYPE           type of the file, as csv or xlsx; told by its name or bytes when absent
  --vendor NAME         vendor of rows that name none
  --mapping FILE.json   a list of {"column", "field", "attribute"}; headings are matched when absent
  --create-catalog      create the catalog when there is none
  --url ADDRESS         of the service (http://127.0.0.1:3000)
  --key KEY             better given as the environment variable AISLE_API_KEY
  --help                print this`

/** The parsed arguments of the command. */
export type ImportArguments = NonNullable<ReturnType<typeof readArguments>>

/** Invalid arguments; `message` explains them on one line. */
export class UsageError extends Error {}

/** Parses the command line; undefined when it asks for help. Throws UsageError. */
export function readArguments(line: readonly string[], environment: NodeJS.ProcessEnv) {
  const { values, positionals } = parsed(line)
  if (values.help) return undefined
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new UsageError('Name one file to import.')
  if (!values.catalog) throw new UsageError('Name the catalog: --catalog NAME.')
  const key = values.key ?? environment.AISLE_API_KEY
  if (!key) throw new UsageError('Set AISLE_API_KEY to a key that may import.')
  const url = values.url ?? 'http://127.0.0.1:3000'
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`--url ${url} is no address.`)
  const { catalog, organization, type, vendor, mapping } = values
  const createCatalog = values['create-catalog'] ?? false
  const address = withoutEnd(url, '/')
  return { file, catalog, organization, type, vendor, mapping, createCatalog, url: address, key }
}

function parsed(line: readonly string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...line],
      allowPositionals: true,
      options: {
        catalog: text,
        organization: text,
        type: text,
        vendor: text,
        mapping: text,
        url: text,
        key: text,
        'create-catalog': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ')[0]! : String(error))
  }
}
