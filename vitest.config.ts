import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

export default defineConfig({
  // Where nothing is built.
  resolve: { alias: { 'aisle-client': join(import.meta.dirname, 'client/src/index.ts') } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/elasticsearch.ts'],
    setupFiles: ['test/support/each-file.ts'],
    reporters: ['default', './test/support/tally-reporter.ts'],
    // Of a machine that others use, too: what a test waits for has a bound of its own.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // While one file waits for Elasticsearch, another goes on.
    maxWorkers: 2,
    // Garbage is collected in larger portions, which takes a worker a tenth less of its processor time.
    execArgv: ['--max-semi-space-size=64'],
    // Modules are loaded, and indices are made, once for each worker.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    expect: { poll: { timeout: 10_000 } },
  },
})
