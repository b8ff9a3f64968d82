import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that take longest, the longest first, for runs without times of an earlier one. */
const LONGEST = [
  'contract/access',
  'survival/exports',
  'engine/lifecycle',
  'survival/survival',
  'start/main',
  'storefront/shop',
  'files/s3-store',
  'api/imports-lifecycle',
  'api/demo',
  'api/callbacks-faults',
  'storefront/access',
  'formats/flat-memory',
  'api/credits-faults',
  'api/realtime-faults',
  'contract/failures',
  'api/migrate',
  'contract/contract',
  'api/tasks',
  'contract/unknown-fields',
  'openapi/page',
  'api/callbacks',
  'console/products',
  'api/import-files',
  'client/package',
  'console/tuning',
  'patterns',
  'api/import-urls',
  'console/import',
  'api/large-answers',
  'api/exports',
  'api/punchout',
  'api/full-file',
  'api/imports',
  'api/search-oracle',
  'api/pictures',
  'api/realtime-search',
  'storefront/member',
  'unit/images/sanitize',
  'unit/elastic/failures',
  'unit/formats/reading',
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
  return at === -1 ? LONGEST.length : at
}

/**
 * Starts the longest files first: started late, they would run alone once other workers are done.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
