import { createClient } from '../client.ts'
import { AisleError } from '../error.ts'
import { CUT_OFF } from '../send.ts'
import { commandOf, parseLine } from './arguments.ts'
import { type Command, CommandFailure, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { targetOf } from './connection.ts'
import { family, overview, usage } from './help.ts'
import { oneLine } from './output.ts'
import { profilesFile, readProfiles } from './profiles.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const complain = (line: string) => process.stderr.write(`${line}\n`)

/** EX_TEMPFAIL of sysexits.h: a temporary failure. */
const TEMPORARY = 75
const HELP = ['help', '--help', '-h']

async function run(command: Command, line: readonly string[]): Promise<number> {
  const { operands, values } = parseLine(command, line)
  if (values.help) {
    say(usage(command))
    return 0
  }
  const environment = process.env
  const json = values.json === true
  const target = command.isLocal
    ? { connection: { url: '' }, catalog: undefined }
    : targetOf(values as never, environment, await readProfiles(profilesFile(environment)))
  const session = {
    ...target,
    ...{ values, operands, json, environment, say },
    client: createClient(target.connection),
    answer: (answered: unknown, lines: () => readonly string[]) => {
      for (const line of json ? [JSON.stringify(answered)] : lines()) say(line)
    },
  }
  try {
    return (await command.run(session as never)) ?? 0
  } catch (error) {
    if (!(error instanceof AisleError)) throw error
    complain(oneLine(messageFor(error, target.connection.url)))
    return [0, 429, 503].includes(error.status) ? TEMPORARY : 1
  }
}

/** Prints help or an error for a line that names no command. Returns the exit status. */
function noCommand([first = '']: readonly string[]): number {
  const members = family(commands, first)
  if (HELP.includes(first)) say(overview(commands))
  else if (members) complain(members)
  else if (first === '') complain(overview(commands))
  else complain(oneLine(`Unknown command ${first}: aisle --help lists all.`))
  return HELP.includes(first) ? 0 : 2
}

function failed(error: unknown, command: Command): number {
  if (error instanceof UsageError) {
    complain(`${oneLine(error.message)}\n\n${usage(command)}`)
    return 2
  }
  const known = error instanceof CommandFailure ? error.message : String(error)
  complain(oneLine(known))
  return 1
}

/** Replaces the name of the service's header by that of the command-line option. */
const inOptions = (message: string) => message.replace(/^x-organization:/, '--organization:')

function messageFor({ status, message, requestId }: AisleError, url: string): string {
  if (status === 0 && message !== CUT_OFF)
    return `${url} does not respond. Check that the service is running.`
  if (status === 0 || status === 200) return message
  const isForeign = requestId === undefined
  return `${status}: ${isForeign ? 'the response is not from the service, but possibly from a proxy in front of it.' : inOptions(message)}`
}

const line = process.argv.slice(2)
const command = commandOf(commands, line)
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
// A reader that closes the pipe early, such as head, is not an error.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) =>
  process.exit(code === 'EPIPE' ? 0 : 1),
)
process.exitCode = command
  ? await run(command, line).catch((error: unknown) => failed(error, command))
  : noCommand(line)
