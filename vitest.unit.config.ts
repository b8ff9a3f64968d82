import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

/** `npm run test:unit`: what needs no Elasticsearch, in seconds. */
export default defineConfig({
  // Where nothing is built.
  resolve: { alias: { 'aisle-client': join(import.meta.dirname, 'client/src/index.ts') } },
  test: {
    include: ['test/unit/**/*.test.ts', 'test/architecture.test.ts'],
    globalSetup: ['test/support/temporary-folder.ts'],
    // It computes and never waits: a worker for each core.
    maxWorkers: '100%',
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Reading threads have a lower priority, and wait on a machine that others use.
    testTimeout: 180_000,
    reporters: ['default', './test/support/tally-reporter.ts'],
  },
})
