import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Elastic } from '../elastic/client.ts'
import type { Collection } from '../elastic/collection.ts'
import type { PointInTime } from '../elastic/place.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { rootOf } from '../platform/load-owner.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { malformedCursor } from './cursor.ts'
import { createOpenWalks, type OpenWalks } from './open-walks.ts'

/**
 * A walk by cursor at the point in time of its first page. Writes to the catalog do not change the
 * order, so that no product is shown twice or skipped.
 */
export interface CursorWalk {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly began: number
  readonly pointInTime: PointInTime
}

/** The walks of one catalog. Without a point in time, a walk continues on the current data. */
export interface CursorWalks {
  /** Seals a text as a cursor, which cannot be read or forged without the service's key. */
  seal(said: string): string
  /** Opens a cursor of this catalog and organization. Throws Invalid. */
  open(cursor: string): string
  /** Starts a walk; undefined if no point in time is available for it. */
  begin(signal: AbortSignal): Promise<CursorWalk | undefined>
  /** The walk in `written`; undefined if its point in time is no longer kept. */
  read(written: string): CursorWalk | undefined
  /**
   * The text with which a cursor continues the walk. Without a point in time, as at its end or when
   * it is gone, the walk is closed in the background, and the result is undefined.
   */
  leave(walk: CursorWalk, pointInTime: string | undefined): string | undefined
}

const openWalksOf = memoizeWeak<Elastic, OpenWalks>(() => createOpenWalks())

const Written = z.tuple([z.string(), z.number(), z.string()])

type WalkedProducts = Pick<Collection<object>, 'place' | 'openPointInTime' | 'closePointInTime'>

export function walksOf(ctx: Context, products: WalkedProducts): CursorWalks {
  const { background, clock, elastic, organization, secrets } = ctx
  const open = openWalksOf(elastic)
  // Sub-organizations share the slots of their parent.
  const owner = rootOf(organization)
  const place = ['cursor', products.place.scope ?? '', organization.id]
  const now = () => clock.now().getTime()
  return {
    seal: (said) => secrets.seal(said, place),
    open(cursor) {
      try {
        return secrets.open(cursor, place)
      } catch {
        throw malformedCursor()
      }
    },
    async begin(signal) {
      const id = randomUUID()
      if (!open.keep(id, owner)) return undefined
      try {
        const pointInTime = await products.openPointInTime(limits.walkMs, { signal })
        return { id, began: now(), pointInTime }
      } catch {
        // The point in time may be open nevertheless, so its slot is not released.
        return undefined
      }
    },
    read(written) {
      try {
        const [id, began, pointInTime] = Written.parse(JSON.parse(written))
        if (now() > began + limits.walkLongestMs || !open.keep(id, owner)) return undefined
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
