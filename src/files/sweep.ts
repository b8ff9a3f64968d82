import { collection } from '../elastic/collection.ts'
import type { Scoped } from '../elastic/scan.ts'
import type { Services } from '../operation.ts'
import { forEach } from '../platform/for-each.ts'
import { scanExpired } from './expired.ts'

/**
 * Removes expired files of all organizations: bytes first, so that they never lose their record.
 * Returns how many were removed; failures are logged and retried next time. Searches for files leave
 * expired ones out, so nothing waits for refreshes, which would take most of the time.
 */
export const sweepFiles = (services: Services, signal?: AbortSignal): Promise<number> =>
  forEach(services, {
    name: 'remove expired files',
    items: scanExpired(services, 'files'),
    work: (file) => removeExpired(services, file),
    signal,
  })

async function removeExpired(
  { elastic, files }: Services,
  { id, scope }: Scoped<{ readonly id: string }>,
) {
  await files.remove(id)
  await collection(elastic, { kind: 'files', scope: [scope] }).remove(id)
}
