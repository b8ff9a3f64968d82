import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest, the longest first; times of an earlier run, which sort otherwise, may be missing. */
const LONGEST = [
  'survival/exports',
  'api/imports-lifecycle',
  'contract/access',
  'engine/lifecycle',
  'start/main',
  'survival/survival',
  'storefront/shop',
  'files/s3-store',
  'api/demo',
  'contract/failures',
  'contract/contract',
  'api/callbacks-faults',
  'openapi/page',
  'api/realtime-faults',
  'api/credits-faults',
  'api/tasks',
  'console/tuning',
  'client/package',
  'fuzz/documents',
  'unit/imports/flat-memory',
  'patterns',
  'storefront/access',
  'console/products',
  'console/import',
  'api/callbacks',
  'api/import-files',
  'api/import-urls',
  'api/search-oracle',
  'contract/unknown-fields',
  'api/migrate',
  'storefront/member',
  'api/exports',
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
