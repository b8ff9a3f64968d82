import { COMMON } from './arguments.ts'
import type { Command, Options } from './command.ts'

const EXIT = `Exit status: 0 success; 1 failure; 2 wrong usage; 75 the service is busy or unreachable,
try again; 130 interrupted.`

/** The text that `aisle --help` prints. */
export const overview = (commands: readonly Command[]): string =>
  `usage: aisle COMMAND [options]

${table(commands.map(({ name, summary }) => [name, summary]))}

\`aisle COMMAND --help\` describes a command.

${EXIT}`

/** The commands that share a first word, such as those of `products`. */
export const family = (commands: readonly Command[], name: string): string | undefined => {
  const members = commands.filter((command) => command.name.startsWith(`${name} `))
  return members.length === 0
    ? undefined
    : `usage: aisle ${name} COMMAND [options]\n\n${table(members.map((one) => [one.name, one.summary]))}`
}

/** The text that `--help` prints for one command. */
export function usage({ name, operands, summary, options }: Command): string {
  const line = ['usage: aisle', name, operands, '[options]'].filter((part) => part !== '')
  const own = Object.keys(options).length > 0 ? `${optionTable(options)}\n\n` : ''
  return `${line.join(' ')}\n\n${summary}\n\n${own}${optionTable(COMMON)}\n\n${EXIT}`
}

const optionTable = (options: Options): string =>
  table(
    Object.entries(options).map(([name, { value, short, about }]) => [
      `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
      about,
    ]),
  )

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
