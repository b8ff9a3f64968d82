import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

export default defineConfig({
  // Where nothing is built.
  resolve: { alias: { 'aisle-client': join(import.meta.dirname, 'client/src/index.ts') } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/elasticsearch.ts', 'test/support/temporary-folder.ts'],
    setupFiles: ['test/support/each-file.ts'],
    reporters: ['default', './test/support/tally-reporter.ts'],
    // Of a machine that others use, too: what a test waits for has a bound of its own.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    // While some files wait for Elasticsearch, others go on: three keep two cores busy for 85 % of
    // the time, and four for 95 %.
    maxWorkers: 4,
    // What they load, and what the processes load that tests start, is compiled once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    // Garbage is collected in larger portions, which takes a worker a tenth less of its processor time.
    execArgv: ['--max-semi-space-size=64'],
    // Modules are loaded, and indices are made, once for each worker.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    expect: { poll: { timeout: 60_000, interval: 100 } },
  },
})
