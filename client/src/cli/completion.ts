import { COMMON } from './arguments.ts'
import { type Command, command, type Option, type Options, UsageError } from './command.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

interface Offer {
  readonly name: string
  readonly about: string
  readonly choices: readonly string[]
  readonly takesValue: boolean
}

const offersOf = (options: Options): Offer[] =>
  Object.entries<Option>({ ...options, ...COMMON }).map(
    ([name, { about, value, choices = [] }]) => ({
      name: `--${name}`,
      about,
      choices,
      takesValue: value !== undefined,
    }),
  )

/** The first words of commands, each with the second words that may follow it. */
function wordsOf(commands: readonly Command[]): Map<string, string[]> {
  const words = new Map<string, string[]>()
  for (const { name } of commands) {
    const [first, second] = name.split(' ') as [string, string?]
    words.set(first, [...(words.get(first) ?? []), ...(second ? [second] : [])])
  }
  return words
}

/** A bash pattern that matches the first words of a line. */
const pattern = (name: string): string => (name.includes(' ') ? `"${name}"` : `"${name} "*`)

/** The completion script for bash, which zsh uses as well by bashcompinit. */
function bash(commands: readonly Command[]): string {
  const words = wordsOf(commands)
  const below = [...words].filter(([, seconds]) => seconds.length > 0)
  const values = commands.flatMap(({ name, options }) =>
    offersOf(options)
      .filter(({ choices }) => choices.length > 0)
      .map((one) => `    ${pattern(name)}" ${one.name}") offers="${one.choices.join(' ')}";;`),
  )
  const names = commands.map(
    ({ name, options }) =>
      `      ${pattern(name)}) offers="${offersOf(options)
        .map((one) => one.name)
        .join(' ')}";;`,
  )
  const seconds = below.map(([first, all]) => `      ${first}) offers="${all.join(' ')}";;`)
  return `_aisle() {
  local word="\${COMP_WORDS[COMP_CWORD]}" offers=""
  local command="\${COMP_WORDS[1]} \${COMP_WORDS[2]}"
  case "$command \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  if [[ -n "$offers" ]]; then
    :
  elif [[ "$word" == -* ]]; then
    case "$command" in
${names.join('\n')}
    esac
  elif [[ $COMP_CWORD -eq 1 ]]; then
    offers="${[...words.keys()].join(' ')}"
  elif [[ $COMP_CWORD -eq 2 ]]; then
    case "\${COMP_WORDS[1]}" in
${seconds.join('\n')}
    esac
  fi
  if [[ -n "$offers" ]]; then
    COMPREPLY=($(compgen -W "$offers" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _aisle aisle`
}

const zsh = (commands: readonly Command[]): string =>
  `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`

function fish(commands: readonly Command[]): string {
  const words = wordsOf(commands)
  const lines = [...words].map(([first, below]) => {
    const about = commands.find(({ name }) => name === first)?.summary ?? `${below.join(', ')}`
    return `complete -c aisle -n __fish_use_subcommand -x -a ${first} -d ${quoted(about)}`
  })
  for (const { name, summary, options } of commands) {
    const [first, second] = name.split(' ') as [string, string?]
    const seen = `__fish_seen_subcommand_from ${first}`
    if (second) lines.push(`complete -c aisle -n '${seen}' -x -a ${second} -d ${quoted(summary)}`)
    for (const offer of offersOf(options)) {
      const isHere = second ? `${seen}; and __fish_seen_subcommand_from ${second}` : seen
      const value =
        offer.choices.length > 0
          ? ` -x -a '${offer.choices.join(' ')}'`
          : offer.takesValue
            ? ' -r'
            : ''
      lines.push(
        `complete -c aisle -n '${isHere}' -l ${offer.name.slice(2)}${value} -d ${quoted(offer.about)}`,
      )
    }
  }
  return lines.join('\n')
}

/** The completion script for a shell; undefined for a shell that is not supported. */
function completionFor(shell: string, commands: readonly Command[]): string | undefined {
  return SHELLS.includes(shell as 'bash')
    ? { bash, zsh, fish }[shell as (typeof SHELLS)[number]](commands)
    : undefined
}

/** The command that prints a completion script for `all` commands. */
export const completionCommand = (all: () => readonly Command[]): Command =>
  command({
    name: 'completion',
    summary: 'Prints the completion script for a shell: source <(aisle completion bash).',
    operands: 'bash|zsh|fish',
    count: [1, 1],
    isLocal: true,
    async run({ operands, say }) {
      const script = completionFor(operands[0]!, all())
      if (!script) throw new UsageError(`${operands[0]} must be one of ${SHELLS.join(', ')}.`)
      say(script)
      return undefined
    },
  })
