import { expect, test } from 'vitest'
import { realtimeResponse } from '../../../src/extensions/realtime-answer.ts'
import { answers } from '../../../src/extensions/remote-answers.ts'

test('the items of a vendor are parsed one by one, so that others get a turn in between', () => {
  const items = Array.from({ length: 20 }, (_, at) => ({ vendorPartNumber: `V${at}`, cost: at }))
  const steps = realtimeResponse(answers.realtime.parse({ items: [...items, { cost: 'free' }] }))
  let turns = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) turns++
  expect(turns).toBe(21)
  expect(step.value?.items.map(({ cost }) => cost)).toEqual([...items.map((_, at) => at), null])
  expect(step.value?.items.at(-1)?.error).toContain('items[20].cost: expected number')
})
