import { call, type Elastic } from './client.ts'
import {
  type CallOptions,
  indexTargetOf,
  type Place,
  type PointInTime,
  transportOptions,
} from './place.ts'

/** Opens a point in time of a place. It costs memory and disk until it is closed. */
export async function openPointInTime(
  elastic: Elastic,
  place: Place,
  keepMs: number,
  options: CallOptions = {},
): Promise<PointInTime> {
  const request = { ...indexTargetOf(elastic, place), keep_alive: `${keepMs}ms` }
  const { id } = await call(() =>
    elastic.client.openPointInTime(request, transportOptions(options)),
  )
  return { id, keepMs }
}

/** Closes a point in time. An expired one is no error. */
export async function closePointInTime({ client }: Elastic, { id }: PointInTime): Promise<void> {
  await call(() => client.closePointInTime({ id }, { ignore: [404] }))
}
