import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest, the longest first; times of an earlier run, which sort otherwise, may be missing. */
const LONGEST = [
  'engine/lifecycle',
  'survival/exports',
  'api/imports-lifecycle',
  'api/demo',
  'fuzz/documents',
  'contract/access',
  'files/s3-store',
  'storefront/shop',
  'start/main',
  'survival/survival',
  'contract/failures',
  'api/exports',
  'api/migrate',
  'api/realtime-faults',
  'api/callbacks-faults',
  'unit/imports/flat-memory',
  'unit/images/sanitize',
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
  return at === -1 ? LONGEST.length : at
}

/** Begins with what takes longest: begun late, it would go on alone when the other workers are done. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
