import type { SearchBench } from './search.ts'
import { testSecrets } from './secrets.ts'

/** The context that the cursors of a catalog are sealed with. */
const cursorContext = ({ org, catalog }: Pick<SearchBench, 'org' | 'catalog'>) => [
  'cursor',
  `${org.id}/${catalog}`,
  org.id,
]

/** Content of a cursor: version, fingerprint, mode, sort values, and its walk if any. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at parts of every shape
export const openCursor = (bench: SearchBench, cursor: string): any[] =>
  JSON.parse(testSecrets.open(cursor, cursorContext(bench)))

/** A validly sealed cursor with any content, as only the service can make it. */
export const sealCursor = (bench: SearchBench, said: unknown): string =>
  testSecrets.seal(JSON.stringify(said), cursorContext(bench))
