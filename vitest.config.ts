import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/elasticsearch.ts'],
    reporters: ['default', './test/support/tally.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Elasticsearch takes the other core; while one file waits for it, another goes on.
    maxWorkers: 2,
    // Modules are loaded once a worker, and so are the indices prepared: tests keep to their organizations.
    isolate: false,
    expect: { poll: { timeout: 10_000 } },
  },
})
