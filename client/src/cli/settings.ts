import type { Client } from '../client.ts'
import { AisleError } from '../error.ts'
import { CATALOG, CommandFailure, command, requireCatalog } from './command.ts'
import { readJsonFile, readObject } from './files.ts'
import { oneLine } from './output.ts'

type Settings = Awaited<ReturnType<Client['getSearchSettings']>>
type Change = Parameters<Client['updateSearchSettings']>[0]

const FORCE = { about: 'overwrite changes made since the file was read' } as const

interface Saved {
  readonly client: Client
  readonly catalog: string
  /** Content of the file. */
  readonly read: Readonly<Record<string, unknown>>
  readonly force: boolean
}

/**
 * Saves the content of a file unless somebody changed the settings since. Throws CommandFailure.
 */
async function save({ client, catalog, read, force }: Saved) {
  const { version, ...parts } = read
  const ifMatch = force || version === undefined ? undefined : String(version)
  try {
    return await client.updateSearchSettings({ ...parts, catalog } as Change, { ifMatch })
  } catch (error) {
    if (!(error instanceof AisleError) || error.code !== 'preconditionFailed') throw error
    throw new CommandFailure(
      `The search settings of ${catalog} have changed since they were read. Read them again and repeat your change, or overwrite theirs with --force.`,
    )
  }
}

const readSettings = (client: Client, catalog: string): Promise<Settings> =>
  client.getSearchSettings({ catalog })

/**
 * Reads the rules in a file that `rules get` or Get Search Rules returned. Throws CommandFailure.
 */
async function readRules(file: string): Promise<Readonly<Record<string, unknown>>> {
  const read = await readJsonFile(file)
  const { version, rules, ...others } = (
    Array.isArray(read) ? { rules: read } : (read ?? {})
  ) as Record<string, unknown>
  const name = file === '-' ? 'Standard input' : file
  if (!Array.isArray(rules)) throw new CommandFailure(`${name} has no list of rules.`)
  const [other] = Object.keys(others)
  if (other !== undefined) {
    throw new CommandFailure(`${name} has ${other} besides rules: use \`settings put\`.`)
  }
  return { rules, ...(version === undefined ? {} : { version }) }
}

export const settingsCommands = [
  command({
    name: 'rules get',
    summary: 'Prints the search rules of a catalog as JSON, for `rules put`.',
    options: { catalog: CATALOG },
    async run({ catalog, client, say }) {
      const { version, rules } = await readSettings(client, requireCatalog(catalog))
      say(JSON.stringify({ version, rules }, null, 2))
      return undefined
    },
  }),
  command({
    name: 'rules put',
    summary: 'Replaces the search rules of a catalog with those in a file; - reads standard input.',
    operands: 'FILE.json',
    count: [1, 1],
    options: { catalog: CATALOG, force: FORCE },
    async run({ operands, values, catalog, client, answer }) {
      const read = await readRules(operands[0]!)
      const force = values.force === true
      const answered = await save({ client, catalog: requireCatalog(catalog), read, force })
      answer(answered, () => [oneLine(answered.message)])
      return undefined
    },
  }),
  command({
    name: 'settings get',
    summary: 'Prints all search settings of a catalog as JSON, for `settings put`.',
    options: { catalog: CATALOG },
    async run({ catalog, client, say }) {
      say(JSON.stringify(await readSettings(client, requireCatalog(catalog)), null, 2))
      return undefined
    },
  }),
  command({
    name: 'settings put',
    summary: 'Replaces the parts of the search settings that a file contains.',
    operands: 'FILE.json',
    count: [1, 1],
    options: { catalog: CATALOG, force: FORCE },
    async run({ operands, values, catalog, client, answer }) {
      const read = await readObject(operands[0]!)
      const force = values.force === true
      const answered = await save({ client, catalog: requireCatalog(catalog), read, force })
      answer(answered, () => [oneLine(answered.message)])
      return undefined
    },
  }),
]
