import type { Client } from '../client.ts'
import { CATALOG, CommandFailure, command, named } from './command.ts'
import { readJsonFile } from './files.ts'
import { oneLine } from './output.ts'

type Saved = Parameters<Client['updateSearchRules']>[0]

export const ruleCommands = [
  command({
    name: 'rules get',
    summary: 'Prints the search rules of a catalog as JSON, ready for `rules put`.',
    options: { catalog: CATALOG },
    async run({ catalog, client, say }) {
      say(JSON.stringify(await client.getSearchRules({ catalog: named(catalog) }), null, 2))
      return undefined
    },
  }),
  command({
    name: 'rules put',
    summary: 'Replaces the search rules of a catalog by the JSON in a file; - is standard input.',
    operands: 'FILE.json',
    count: [1, 1],
    options: { catalog: CATALOG },
    async run({ operands, catalog, client, answer }) {
      const rules = await readJsonFile(operands[0]!)
      if (!Array.isArray(rules)) throw new CommandFailure(`${operands[0]} is no list of rules.`)
      const body = rules as Saved['body']
      const answered = await client.updateSearchRules({ catalog: named(catalog), body })
      answer(answered, () => [oneLine(answered.message)])
      return undefined
    },
  }),
]
