import { expect, test } from 'vitest'
import { deliverPages } from '../../../src/exports/deliver-pages.ts'
import { createAdmission } from '../../../src/platform/admission.ts'

const PAGES = 3

/** Sends a few pages, while an organization sends requests. Returns how many turns others got. */
async function turnsBeside(organization: string): Promise<number> {
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
    assertLease: () => undefined,
  }
  let turns = 0
  const others = setInterval(() => turns++, 0)
  const job = { installed: { id: 'i' } }
  await deliverPages(run as never, { job, track } as never, {
    async read() {
      return { page: { products: [], seen: 1, last: now.pages === PAGES - 1 } }
    },
    async send() {
      return []
    },
  })
  clearInterval(others)
  return turns
}

test('an export pauses after each page while other organizations are active', async () => {
  expect(await turnsBeside('other')).toBeGreaterThanOrEqual(PAGES)
  expect(await turnsBeside('acme')).toBe(0)
})
