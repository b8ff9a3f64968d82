import { expect, test } from 'vitest'
import { FairQueue } from '../../../src/platform/fair-queue.ts'

const work = { cost: 1 }

test('parts in which nothing waits do not make turns slow, however many there were', () => {
  const queue = new FairQueue<{ readonly cost: number }>()
  for (let at = 0; at < 50_000; at++) {
    const path = ['family', `visitor ${at}`]
    queue.add(path, work)
    queue.begin(path, 1)
    queue.remove(path, work)
  }
  queue.add(['family', 'staff'], work)
  const { user } = process.threadCpuUsage()
  for (let turns = 0; turns < 5_000; turns++) expect(queue.first()).toBe(work)
  // With all parts, it took a second.
  expect((process.threadCpuUsage().user - user) / 1_000).toBeLessThan(300)
})
