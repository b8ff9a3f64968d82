import { StartupFailure } from '../errors.ts'

/** Patterns in the output of an Elasticsearch that fails, and the sentence for each. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [
    /No space left on device|not enough space/i,
    'The disk of Elasticsearch is full: free up space, or set DATA_DIR to a folder on another disk.',
  ],
  [
    /insufficient memory for the Java Runtime|Cannot allocate memory|Could not reserve enough space/i,
    'Elasticsearch needs about 1.5 GB of free memory: stop other programs, or set ELASTICSEARCH_URL to a cluster on another machine.',
  ],
  [
    /failed to obtain node lock|Failed to create node environment/i,
    'Another Elasticsearch uses the same DATA_DIR: stop it, or set another DATA_DIR.',
  ],
  [
    /BindHttpException|Address already in use/i,
    'Another program listens on the port of Elasticsearch: start Aisle again.',
  ],
  [
    /cannot downgrade a node|newer than the current version|created with version \[[^\]]{0,40}\] which is newer/i,
    'The data in DATA_DIR was written by a newer Elasticsearch: start the newer version of Aisle, or set another DATA_DIR.',
  ],
]

/** Lines that tell why an engine ended, in their order. */
const complaints = (printed: string): string[] =>
  printed
    .split('\n')
    .map((text) => text.trim().slice(0, 300))
    .filter((text) => /exception|error|fatal/i.test(text) && !/^WARNING/.test(text))

/** The sentence for an engine that ended after it had started. */
export function endedSentence(printed: string, logs: string): string {
  // Lines of the log, which begin with a bracket, may be older.
  const last = complaints(printed).findLast((line) => !line.startsWith('['))
  return `Elasticsearch exited${last ? ` (${last})` : ''}: see ${logs}.`
}

/** The failure for an engine that ended while starting; `logs` is where more can be read. */
export function startFailure(printed: string, logs: string): StartupFailure {
  const known = KNOWN.find(([pattern]) => pattern.test(printed))
  if (known) return new StartupFailure(known[1])
  const reason = complaints(printed)[0] ?? 'no reason given'
  return new StartupFailure(`Elasticsearch exited while starting (${reason}): see ${logs}.`)
}
