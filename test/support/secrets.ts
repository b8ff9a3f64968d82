import { createSecrets } from '../../src/platform/secrets.ts'

export const TEST_KEY = Buffer.alloc(32, 'test').toString('base64')

/** Shared by all test services, so that those on the same indices can read each other's secrets. */
export const testSecrets = createSecrets(TEST_KEY)
