import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/elasticsearch.ts'],
    setupFiles: ['test/support/each-file.ts'],
    reporters: ['default', './test/support/tally-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // While one file waits for Elasticsearch, another goes on.
    maxWorkers: 2,
    // Modules are loaded, and indices are made, once for each worker.
    isolate: false,
    expect: { poll: { timeout: 10_000 } },
  },
})
