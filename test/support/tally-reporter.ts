import type { Reporter, TestModule } from 'vitest/node'

/** Prints one plain line at the end of a run: `N passed, N failed`. */
export default class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0
    let failed = errors.length
    for (const module of modules) {
      if (module.state() === 'failed' && module.errors().length > 0) failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else if (state === 'failed') failed += 1
      }
    }
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  }
}
