import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Elastic } from '../elastic/client.ts'
import type { Collection } from '../elastic/collection.ts'
import type { PointInTime } from '../elastic/place.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { malformed } from './cursor.ts'
import { createOpenWalks, type OpenWalks } from './open-walks.ts'

/**
 * A walk by cursor that stays at the time of its first page: what is written to the catalog meanwhile
 * changes no places, so that nothing is shown twice or never.
 */
export interface CursorWalk {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly began: number
  readonly pointInTime: PointInTime
}

/** The walks of one catalog. Without a point in time a walk goes on as well as it can. */
export interface CursorWalks {
  /** The cursor that says this: nobody reads or makes it without the key of the service. */
  seal(said: string): string
  /** What a cursor of this catalog and organization says. Throws Invalid. */
  open(cursor: string): string
  /** Undefined where there is no room for another one. */
  begin(signal: AbortSignal): Promise<CursorWalk | undefined>
  /** The walk that `written` is of; undefined where nothing is kept of it. */
  read(written: string): CursorWalk | undefined
  /**
   * What a cursor says of it. Without an id of its point in time, as at its end and when that is
   * gone, it ends after the answer.
   */
  leave(walk: CursorWalk, pointInTime: string | undefined): string | undefined
}

const openWalksOf = memoizeWeak<Elastic, OpenWalks>(() => createOpenWalks())

const Written = z.tuple([z.string(), z.number(), z.string()])

type WalkedProducts = Pick<Collection<object>, 'place' | 'openPointInTime' | 'closePointInTime'>

export function walksOf(ctx: Context, products: WalkedProducts): CursorWalks {
  const { background, clock, elastic, organization, secrets } = ctx
  const open = openWalksOf(elastic)
  const place = ['cursor', products.place.scope ?? '', organization.id]
  const now = () => clock.now().getTime()
  return {
    seal: (said) => secrets.seal(said, place),
    open(cursor) {
      try {
        return secrets.open(cursor, place)
      } catch {
        throw malformed()
      }
    },
    async begin(signal) {
      const id = randomUUID()
      if (!open.keep(id, organization.id)) return undefined
      try {
        const pointInTime = await products.openPointInTime(limits.walkMs, { signal })
        return { id, began: now(), pointInTime }
      } catch {
        // It may be open all the same, so its place is not free yet.
        return undefined
      }
    },
    read(written) {
      try {
        const [id, began, pointInTime] = Written.parse(JSON.parse(written))
        if (now() > began + limits.walkLongestMs || !open.keep(id, organization.id))
          return undefined
        return { id, began, pointInTime: { id: pointInTime, keepMs: limits.walkMs } }
      } catch {
        return undefined
      }
    },
    leave({ id, began, pointInTime }, next) {
      if (next !== undefined) return JSON.stringify([id, began, next])
      background.run('close point in time', async () => {
        await products.closePointInTime(pointInTime)
        open.end(id)
      })
      return undefined
    },
  }
}
