import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { deliverPages } from '../../../src/exports/deliver-pages.ts'
import { createAdmission } from '../../../src/platform/admission.ts'

const PAGES = 3

/** Sends a few pages, while an organization sends requests. Returns how often it rested. */
async function restsBeside(organization: string): Promise<number> {
  const requests = createAdmission({ capacity: 8, waiting: Infinity, what: 'requests' })
  requests.tryEnter(organization)?.()
  let now = { pages: 0, exported: 0, linked: 0, done: false }
  const track = {
    get now() {
      return now
    },
    commit(next: typeof now) {
      now = next
    },
  }
  const run = {
    ctx: { organization: { id: 'acme', parent: null }, requests, elastic: {} },
    isCancelled: () => false,
    hold: () => undefined,
  }
  const timer = vi.spyOn(globalThis.performance, 'eventLoopUtilization')
  const job = { installed: { id: 'i' } }
  await deliverPages(run as never, { job, track } as never, {
    async read() {
      return { page: { products: [], seen: 1, last: now.pages === PAGES - 1 } }
    },
    async send() {
      await setImmediate()
      return []
    },
  })
  const measured = timer.mock.calls.filter(([since]) => since !== undefined).length
  timer.mockRestore()
  return measured
}

test('an export rests after each page while other organizations are active', async () => {
  expect(await restsBeside('other')).toBe(PAGES)
  expect(await restsBeside('acme')).toBe(0)
})
