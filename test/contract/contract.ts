import type { Revision } from '../../src/operation.ts'
import type { Identity, World } from './world.ts'

/** One request of an operation; its method, path and version come from the operation table. */
export interface Sent {
  /** Values of the path's parameters, in order. */
  readonly path?: readonly string[]
  readonly query?: Readonly<Record<string, string>>
  /** Sent as JSON; bytes are sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Who calls; by default the weakest identity that may. */
  readonly as?: Identity
  /** Another key and its organization, in place of `as`. */
  readonly key?: string
  readonly organization?: string
}

/** A request, or a function that first creates the things the request needs. */
export type Sending = Sent | ((world: World) => Sent | Promise<Sent>)

/** Required answers of an operation: 200 to `ok`, and each status of `fails` to its request. */
export interface Contract {
  readonly ok: Sending
  readonly fails?: Readonly<Record<number, Sending>>
}

/** Contracts by the operation's name, and by revision if the requests differ. */
export type Contracts = Readonly<
  Record<string, Contract | Readonly<Partial<Record<Revision | 'any', Contract>>>>
>
