import { defineConfig } from 'vitest/config'

/** `npm run test:unit`: what needs no Elasticsearch, in seconds. */
export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/architecture.test.ts'],
    isolate: false,
    reporters: ['default', './test/support/tally-reporter.ts'],
  },
})
