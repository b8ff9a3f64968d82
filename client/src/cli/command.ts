import type { Client } from '../client.ts'
import type { Connection } from '../connection.ts'

/** An option of a command. */
export interface Option {
  /** Placeholder of its value in the help; absent for a flag without a value. */
  readonly value?: string
  /** Whether it may be given several times. */
  readonly multiple?: boolean
  readonly short?: string
  /** Values that shell completion suggests. */
  readonly choices?: readonly string[]
  /** Description in one line. */
  readonly about: string
}

export type Options = Readonly<Record<string, Option>>

type Value<O extends Option> = O extends { value: string }
  ? O extends { multiple: true }
    ? readonly string[]
    : string
  : true

/** Values of the options of a command line; an option that was not given is absent. */
export type Values<O extends Options> = { readonly [Name in keyof O]?: Value<O[Name]> }

/** What a command is run with. */
export interface Session<O extends Options> {
  readonly values: Values<O>
  readonly operands: readonly string[]
  /** Whether `--json` was given. */
  readonly json: boolean
  readonly connection: Connection & { readonly url: string }
  readonly client: Client
  /** The catalog named on the command line, else the one of the profile. */
  readonly catalog: string | undefined
  readonly environment: NodeJS.ProcessEnv
  /** Prints a line. */
  say(line: string): void
  /** Prints an answer: as JSON with `--json`, else as `lines`. */
  answer(answered: unknown, lines: () => readonly string[]): void
}

/** One command, such as `products get`. */
export interface Command {
  readonly name: string
  readonly summary: string
  /** The operands that follow its name in the help, such as `ID...`. */
  readonly operands: string
  /** Minimum and maximum number of operands. */
  readonly count: readonly [least: number, most: number]
  readonly options: Options
  /** Whether it runs without calling the service. */
  readonly isLocal: boolean
  /** Returns the exit status; undefined stands for 0. */
  readonly run: (session: Session<Options>) => Promise<number | undefined>
}

interface Declared<O extends Options> {
  readonly name: string
  readonly summary: string
  readonly operands?: string
  readonly count?: readonly [least: number, most: number]
  readonly options?: O
  readonly isLocal?: boolean
  readonly run: (session: Session<O>) => Promise<number | undefined>
}

/** Declares a command. Parsing, help and completion all follow from the declaration. */
export const command = <const O extends Options = Record<never, never>>(
  declared: Declared<O>,
): Command =>
  ({ operands: '', count: [0, 0], options: {}, isLocal: false, ...declared }) as unknown as Command

/** Wrong arguments; `message` explains them on one line. */
export class UsageError extends Error {}

/** A command that cannot be carried out; `message` is one line for the user. */
export class CommandFailure extends Error {}

/** Returns the catalog, for commands that need one. Throws UsageError if there is none. */
export function requireCatalog(catalog: string | undefined): string {
  if (!catalog) throw new UsageError('Set the catalog: --catalog NAME.')
  return catalog
}

export const CATALOG = {
  value: 'NAME',
  about: 'the catalog (default: that of the profile)',
} as const
