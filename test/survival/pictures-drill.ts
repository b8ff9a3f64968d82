import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expectOk, newOrganization } from '../support/client.ts'
import { startCanary } from '../support/connection-counter.ts'
import { dice, leaseHolder, startFleet, takenOver } from './fleet.ts'
import {
  comparePictures,
  countsOf,
  type PicturesVerdict,
  pictureAt,
  picturedProduct,
  pictureOf,
} from './pictured.ts'
import type { Place } from './stored.ts'
import { watchProgress } from './watch.ts'

interface PicturesDrill extends Place {
  /** Number of products, at most what one batch writes. */
  readonly products: number
  /** How often the process that fetches their pictures is killed. */
  readonly taskKills: number
  readonly seed: number
  readonly leaseMs: number
  readonly say?: (line: string) => void
}

/** Results of the drill; the last three should be empty or 0. */
interface PicturesFigures extends PicturesVerdict {
  readonly kills: number
  readonly pictures: number
  /** How often the shop was asked for a picture again. */
  readonly askedAgain: number
  readonly seconds: number
  /** Counts of the task that differ from those of the shop. */
  readonly miscounted: readonly string[]
}

/** Milliseconds that the shop takes for a picture. */
const ANSWER_MS = 20

/** Fetches pictures of products with two processes, which are killed in turn. */
export async function picturesDrill(given: PicturesDrill): Promise<PicturesFigures> {
  const { products, taskKills, say = () => undefined } = given
  const started = performance.now()
  const random = dice(given.seed)
  const folder = await mkdtemp(join(tmpdir(), 'aisle-pictures-'))
  const asked: string[] = []
  const server = await startCanary(async (request, response) => {
    asked.push(request.url!)
    await sleep(ANSWER_MS)
    const number = pictureAt(request.url!)
    if (number === undefined) response.writeHead(404).end()
    else response.end(await pictureOf(number))
  })
  const shop = `http://127.0.0.1:${server.port}`
  const fleet = await startFleet({ ...given, allow: '127.0.0.1' }, folder)
  const { front, alive } = fleet
  let kills = 0
  try {
    const { call, id: owner } = await newOrganization(front)
    await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
    const operations = Array.from({ length: products }, (_, at) => ({
      ...{ action: 'create', product: picturedProduct(shop, at) },
    }))
    await expectOk(call('POST /api/Catalog/c/products/batch', { body: { operations } }))
    const path = 'POST /api/Catalog/c/pictures/fetch'
    const { taskId } = (await expectOk(call(path, { body: {} }))).body
    const watch = watchProgress(call, taskId)
    const expected = countsOf(products)
    for (let n = 0; n < taskKills; n++) {
      const moment = Math.floor((expected.processed * (n + random())) / (taskKills + 1))
      while (asked.length < moment && !watch.isOver()) await sleep(5)
      const held = await leaseHolder(given, owner, { alive, isOver: watch.isOver })
      if (!held) break
      await sleep(random() * 5 * ANSWER_MS)
      if (watch.isOver()) break
      say(`kill of ${held.holder.name} after ${asked.length} pictures were asked for`)
      kills++
      await fleet.kill(held.holder)
      await takenOver(given, owner, held.lease.fence, watch.isOver)
    }
    const task = await watch.ended
    const miscounted = Object.entries({ status: 'completed', ...expected })
      .filter(([name, count]) => task[name] !== count)
      .map(([name, count]) => `${name}: ${task[name]}, not ${count}`)
    const read = async (url: string) => front.fetch(new Request(url))
    const verdict = await comparePictures(given, owner, { products, shop, folder, read })
    return {
      kills,
      pictures: expected.processed,
      askedAgain: asked.length - new Set(asked).size,
      seconds: Math.round((performance.now() - started) / 1000),
      miscounted,
      ...verdict,
    }
  } finally {
    await fleet.stop()
    await server.close()
  }
}
