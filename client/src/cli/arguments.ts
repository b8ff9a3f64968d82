import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Command, type Options, UsageError } from './command.ts'

/** Options of every command. */
export const COMMON = {
  url: {
    value: 'ADDRESS',
    about: 'URL of the service (AISLE_URL; default: http://127.0.0.1:3000)',
  },
  key: { value: 'KEY', about: 'API key; use AISLE_API_KEY or a profile instead' },
  organization: {
    value: 'ID',
    about: 'organization, if the key has access to several (AISLE_ORGANIZATION)',
  },
  profile: { value: 'NAME', about: 'profile from `aisle profile` (AISLE_PROFILE)' },
  json: { about: 'print JSON' },
  help: { about: 'print this help', short: 'h' },
} as const satisfies Options

/** A parsed command line: the command with its operands and options. */
export interface ParsedLine {
  readonly command: Command
  readonly operands: readonly string[]
  readonly values: Readonly<Record<string, string | readonly string[] | boolean | undefined>>
}

/** Finds the command that a line begins with; undefined if it names none. */
export function commandOf(
  commands: readonly Command[],
  line: readonly string[],
): Command | undefined {
  const words = line.slice(0, 2)
  return [words.join(' '), words[0]]
    .map((name) => commands.find((command) => command.name === name))
    .find((command) => command !== undefined)
}

/** Parses the arguments that follow the command's name. Throws UsageError. */
export function parseLine(command: Command, line: readonly string[]): ParsedLine {
  const { values, positionals } = parseArguments(
    command,
    line.slice(command.name.split(' ').length),
  )
  const [least, most] = command.count
  const isAsking = values.help === true
  if (!isAsking && positionals.length < least) throw new UsageError(`Missing ${command.operands}.`)
  if (!isAsking && positionals.length > most) {
    throw new UsageError(
      `Unexpected ${positionals[most]}: the command takes ${command.operands || 'no arguments'}.`,
    )
  }
  return { command, operands: positionals, values: values as ParsedLine['values'] }
}

function parseArguments({ options }: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: asConfig({ ...options, ...COMMON }),
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ')[0]! : String(error))
  }
}

const asConfig = (options: Options): NonNullable<ParseArgsConfig['options']> =>
  Object.fromEntries(
    Object.entries(options).map(([name, { value, multiple = false, short }]) => [
      name,
      {
        type: value ? ('string' as const) : ('boolean' as const),
        multiple,
        ...(short ? { short } : {}),
      },
    ]),
  )

/** Parses the number given to an option. Throws UsageError. */
export function numberIn(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) {
    throw new UsageError(`--${option} ${text} is not a number.`)
  }
  return number
}
