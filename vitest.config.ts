import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/elasticsearch.ts'],
    reporters: ['default', './test/support/tally.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Elasticsearch takes the other core.
    maxWorkers: 1,
    expect: { poll: { timeout: 10_000 } },
  },
})
