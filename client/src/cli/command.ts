import type { Client } from '../client.ts'
import type { Connection } from '../connection.ts'

/** An option of a command. */
export interface Option {
  /** What stands for its value; absent: it has none. */
  readonly value?: string
  /** It may be given several times. */
  readonly multiple?: boolean
  readonly short?: string
  /** Values that a shell offers. */
  readonly choices?: readonly string[]
  /** One line. */
  readonly about: string
}

export type Options = Readonly<Record<string, Option>>

type Value<O extends Option> = O extends { value: string }
  ? O extends { multiple: true }
    ? readonly string[]
    : string
  : true

/** What the options of a command line say; an option that was not given is absent. */
export type Values<O extends Options> = { readonly [Name in keyof O]?: Value<O[Name]> }

/** What a command may use. */
export interface Session<O extends Options> {
  readonly values: Values<O>
  readonly operands: readonly string[]
  /** `--json` was given. */
  readonly json: boolean
  readonly connection: Connection & { readonly url: string }
  readonly client: Client
  /** The catalog that was named, or the profile's. */
  readonly catalog: string | undefined
  readonly environment: NodeJS.ProcessEnv
  /** Prints a line. */
  say(line: string): void
  /** Prints what was answered: as JSON where that is wanted, else `lines`. */
  answer(answered: unknown, lines: () => readonly string[]): void
}

/** One command, as `products get`. */
export interface Command {
  readonly name: string
  readonly summary: string
  /** What follows its name, as `ID...`. */
  readonly operands: string
  /** How few and how many of them. */
  readonly count: readonly [least: number, most: number]
  readonly options: Options
  /** It calls no service. */
  readonly isLocal: boolean
  /** Answers the exit status; undefined is 0. */
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

/** Declares a command; the only source of its parsing, its help and its completion. */
export const command = <const O extends Options = Record<never, never>>(
  declared: Declared<O>,
): Command =>
  ({ operands: '', count: [0, 0], options: {}, isLocal: false, ...declared }) as unknown as Command

/** Wrong arguments; `message` explains them on one line. */
export class UsageError extends Error {}

/** It cannot be done; `message` is one line for the user. */
export class CommandFailure extends Error {}

/** The catalog of a command that has to know it. Throws UsageError. */
export function named(catalog: string | undefined): string {
  if (!catalog) throw new UsageError('Name the catalog: --catalog NAME.')
  return catalog
}

export const CATALOG = { value: 'NAME', about: 'the catalog; otherwise the profile’s' } as const
