import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { deliverPages } from '../../../src/exports/deliver-pages.ts'
import { createAdmission } from '../../../src/platform/admission.ts'

vi.mock('node:timers/promises', async (original) => ({
  ...(await original<object>()),
  setTimeout: vi.fn(async () => undefined),
}))

const PAGES = 3

/** Sends a few pages, while an organization sends requests. Returns how often it paused. */
async function pausesBeside(organization: string): Promise<number> {
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
  vi.mocked(setTimeout).mockClear()
  const job = { installed: { id: 'i' } }
  await deliverPages(run as never, { job, track } as never, {
    async read() {
      return { page: { products: [], seen: 1, last: now.pages === PAGES - 1 } }
    },
    async send() {
      return []
    },
  })
  return vi.mocked(setTimeout).mock.calls.length
}

test('an export pauses after each page while other organizations are active', async () => {
  expect(await pausesBeside('other')).toBe(PAGES)
  expect(await pausesBeside('acme')).toBe(0)
})
