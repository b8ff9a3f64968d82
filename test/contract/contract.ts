import type { Revision } from '../../src/operation.ts'
import type { Identity, World } from './world.ts'

/** One request of an operation; method, path and version come from the table. */
export interface Sent {
  /** What fills the path's parameters, in their order. */
  readonly path?: readonly string[]
  readonly query?: Readonly<Record<string, string>>
  /** Sent as JSON; bytes as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Who calls; by default the weakest who may. */
  readonly as?: Identity
  /** Another key and its organization, instead of `as`. */
  readonly key?: string
  readonly organization?: string
}

/** A request, or what makes the things that it needs first. */
export type Sending = Sent | ((world: World) => Sent | Promise<Sent>)

/** What an operation must answer: 200 to `ok`, and each status of `fails` to its request. */
export interface Contract {
  readonly ok: Sending
  readonly fails?: Readonly<Record<number, Sending>>
}

/** By the operation's name; by revision where the requests differ. */
export type Contracts = Readonly<
  Record<string, Contract | Readonly<Partial<Record<Revision | 'any', Contract>>>>
>
