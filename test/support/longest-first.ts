import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that take longest, the longest first, for runs without times of an earlier one. */
const LONGEST = [
  'api/imports-lifecycle',
  'contract/access',
  'survival/exports',
  'api/callbacks-faults',
  'start/main',
  'engine/lifecycle',
  'api/credits-faults',
  'storefront/shop',
  'files/s3-store',
  'survival/survival',
  'contract/contract',
  'api/moves',
  'api/demo',
  'openapi/page',
  'api/realtime-faults',
  'api/punchout',
  'contract/failures',
  'api/import-files',
  'storefront/access',
  'api/import-urls',
  'api/callbacks',
  'api/full-file',
  'api/large-answers',
  'contract/unknown-fields',
  'api/tasks',
  'client/package',
  'api/exports',
  'console/tuning',
  'console/import',
  'api/exports-remote',
  'console/products',
  'formats/flat-memory',
  'console/sign-in',
  'patterns',
  'api/import-settings',
  'api/imports',
  'api/installations',
  'tour',
  'api/pictures',
  'fuzz/documents',
  'api/keys',
  'api/imports-installed',
  'api/migrate',
  'api/search-oracle',
  'api/annotations-lost',
  'api/batch',
  'api/imports-xlsx',
  'api/catalog-moves',
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
