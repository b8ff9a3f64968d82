import { createSecrets } from '../../src/platform/secrets.ts'

/** Of every test service, so that services on the same indices read each other's secrets. */
export const testSecrets = createSecrets(Buffer.alloc(32, 'test').toString('base64'))
