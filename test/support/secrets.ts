import { createSecrets } from '../../src/platform/secrets.ts'

export const TEST_KEY = Buffer.alloc(32, 'test').toString('base64')

/** Of every test service, so that services on the same indices read each other's secrets. */
export const testSecrets = createSecrets(TEST_KEY)
