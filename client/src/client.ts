import type { Connection } from './connection.ts'
import * as operations from './generated/operations.ts'
import type { Method, OperationId } from './types.ts'

/** Every operation of the service as a method. */
export type Client = { readonly [Id in OperationId]: Method<Id> }

type Call = (connection: Connection, ...given: unknown[]) => unknown

/** Creates a client of one service. Sends nothing before one of its methods is called. */
export function createClient(connection: Connection): Client {
  const methods = Object.entries(operations).map(([name, call]) => [
    name,
    (...given: unknown[]) => (call as Call)(connection, ...given),
  ])
  return Object.fromEntries(methods)
}
