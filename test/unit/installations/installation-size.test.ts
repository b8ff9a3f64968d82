import { expect, test } from 'vitest'
import type { Installation } from '../../../src/extensions/installation.ts'
import { checkInstallationSize } from '../../../src/installations/installation-size.ts'
import { limits } from '../../../src/limits.ts'

const withMappings = (bytes: number) =>
  ({ settings: { mappings: ['x'.repeat(bytes)] }, values: {} }) as unknown as Installation

test('mappings with which no import could be queued are refused, unless they get fewer', () => {
  const { installationBytes, taskInputBytes } = limits
  const large = withMappings(taskInputBytes)
  expect(() => checkInstallationSize(large, installationBytes)).toThrow('mappings')
  expect(() => checkInstallationSize(large, 10, large)).not.toThrow()
  expect(() => checkInstallationSize(withMappings(1_000), installationBytes)).not.toThrow()
  expect(() => checkInstallationSize(withMappings(1_000), 10)).toThrow('additionalData')
})
