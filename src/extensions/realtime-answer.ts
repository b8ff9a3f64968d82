import { z } from 'zod'
import { limits } from '../limits.ts'
import { mapSteps, type Steps } from '../platform/steps.ts'
import { Flag, OptionalNumber } from '../shapes.ts'
import { parseAs } from './json.ts'
import { type answers, list, optional, text, time } from './remote-answers.ts'
import type { RealtimeResponse } from './schemas.ts'

const RealtimeItem = z.object({
  vendorPartNumber: optional,
  manufacturerPartNumber: optional,
  description: optional,
  error: optional,
  status: optional,
  active: Flag(true),
  onHand: OptionalNumber,
  cost: OptionalNumber,
  inStockDate: time,
  warehouses: list(z.object({ warehouse: text, onHand: OptionalNumber, inStockDate: time })),
})
type RealtimeItem = z.output<typeof RealtimeItem>

const ItemNumbers = z.object({
  vendorPartNumber: optional.catch(null),
  manufacturerPartNumber: optional.catch(null),
})

/** Parses one item. An item of another shape counts as failed and does not affect the others. */
function itemOf(value: unknown, at: number): RealtimeItem {
  try {
    return parseAs(RealtimeItem, value, `items[${at}]`)
  } catch (error) {
    const numbers = ItemNumbers.safeParse(value).data ?? {}
    const reason = `The response is invalid: ${(error as Error).message}.`
    return RealtimeItem.parse({ ...numbers, error: reason })
  }
}

/** Parses the items of an answer about stock and price, which may take long. */
export function* realtimeResponse(
  answer: z.output<typeof answers.realtime>,
): Steps<RealtimeResponse> {
  // One more than allowed, to detect that there are too many.
  const items = yield* mapSteps(answer.items.slice(0, limits.realtimeItems + 1), itemOf)
  return { ...answer, items }
}
