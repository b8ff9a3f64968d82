import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A request of an operation and its answer, recorded by a test. */
export interface Example {
  /** Values of the path's parameters, in order. */
  readonly path?: readonly string[]
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly answer?: unknown
}

const FOLDER = join(import.meta.dirname, 'examples')

/** All examples, by operation name and revision: `Search 6.0`. */
export const readExamples = (): Readonly<Record<string, Example>> =>
  Object.assign(
    {},
    ...readdirSync(FOLDER).map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))),
  )
