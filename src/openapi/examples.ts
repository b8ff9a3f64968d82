import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A request of an operation and its answer, as a test has seen them. */
export interface Example {
  /** What fills the path's parameters, in their order. */
  readonly path?: readonly string[]
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly answer?: unknown
}

const FOLDER = join(import.meta.dirname, 'examples')

/** Every example, by the operation's name and revision: `Search 6.0`. */
export const readExamples = (): Readonly<Record<string, Example>> =>
  Object.assign(
    {},
    ...readdirSync(FOLDER).map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))),
  )
