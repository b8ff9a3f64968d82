import { expect, test } from 'vitest'
import type { Installation } from '../../../src/extensions/installation.ts'
import { checkInstallationSize } from '../../../src/installations/installation-size.ts'
import { limits } from '../../../src/limits.ts'

const withMappings = (bytes: number, values = {}) =>
  ({ settings: { mappings: ['x'.repeat(bytes)] }, values }) as unknown as Installation

test('mappings with which no import could be queued are refused, unless they get fewer', () => {
  const { installationBytes, taskInputBytes } = limits
  const check = (next: Installation, before?: Installation) =>
    checkInstallationSize(next, installationBytes, before)
  // A task has more than these settings.
  const large = withMappings(taskInputBytes - 16 * 1024)
  expect(() => check(large)).toThrow('mappings: the settings')
  expect(() => check(withMappings(taskInputBytes), large)).toThrow('mappings: the settings')
  expect(() => checkInstallationSize(large, 10, large)).not.toThrow()
  expect(() => check(withMappings(taskInputBytes - 17 * 1024))).not.toThrow()
  expect(() => checkInstallationSize(withMappings(1_000), 10)).toThrow('additionalData')
})

test('values may get longer although the mappings are too large', () => {
  const { installationBytes, taskInputBytes } = limits
  const next = withMappings(taskInputBytes, { key: 'k' })
  const before = withMappings(taskInputBytes)
  expect(() => checkInstallationSize(next, installationBytes, before)).not.toThrow()
})
