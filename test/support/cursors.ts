import type { SearchBench } from './search.ts'
import { testSecrets } from './secrets.ts'

/** Where the cursors of a catalog are sealed for. */
const placeOf = ({ org, catalog }: Pick<SearchBench, 'org' | 'catalog'>) => [
  'cursor',
  `${org.id}/${catalog}`,
  org.id,
]

/** What a cursor says: version, fingerprint, mode, sort values, and its walk if any. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at parts of every shape
export const openCursor = (bench: SearchBench, cursor: string): any[] =>
  JSON.parse(testSecrets.open(cursor, placeOf(bench)))

/** A cursor that says anything, as only the service could write it. */
export const sealCursor = (bench: SearchBench, said: unknown): string =>
  testSecrets.seal(JSON.stringify(said), placeOf(bench))
