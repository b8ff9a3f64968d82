import { setTimeout } from 'node:timers/promises'
import { Failure } from '../errors.ts'
import { fileUrl, keepFile, removeFile } from '../files/store.ts'
import { ImportRequest } from '../imports/schemas.ts'
import { startImport } from '../imports/start.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { retryWhileUnavailable } from '../platform/retry.ts'
import { type ListedTask, listTasks, tasksOf } from '../tasks/store.ts'
import { isFinished, type Task } from '../tasks/task.ts'
import { demoLines } from './catalog.ts'
import { demoKey } from './key.ts'
import { asAdministrator, DEMO, markLoaded, openDemo, SHOPPER } from './organization.ts'
import { keepPictures } from './pictures.ts'

/** Raised when the products change, so that the next start loads them again. */
const EDITION = 1
const LOOK_MS = 100
const CURRENCY = 'USD'

export interface DemoOptions {
  /** Prints a line for the person who starts the service. */
  readonly say: (line: string) => void
  /** Where the search key is kept, readable by us only. */
  readonly keyFile: string
}

/** A catalog that everybody may look at. */
export interface DemoAccess {
  readonly catalog: string
  /** A key that may only search. */
  readonly key: string
  /** ISO 4217 code of its prices. */
  readonly currency: string
}

/**
 * Creates the demo once: organization, catalog, pictures and products. Returns how to search it.
 * Failures are reported, and never keep the service from starting.
 */
export async function loadDemo(
  services: Services,
  { say, keyFile }: DemoOptions,
): Promise<DemoAccess | undefined> {
  try {
    const loaded = await retryWhileUnavailable(limits.startWaitMs, () => openDemo(services))
    if (loaded === undefined) {
      say(`demo: not loaded: an organization named ${DEMO} exists that is not the demo's`)
      return undefined
    }
    await keepPictures(services)
    await bringUpToDate(services, loaded, say)
    const key = await retryWhileUnavailable(limits.startWaitMs, () =>
      demoKey(asAdministrator(services), { keyFile, username: SHOPPER }),
    )
    return key === undefined ? undefined : { catalog: DEMO, key, currency: CURRENCY }
  } catch (error) {
    if (!(error instanceof Failure)) services.log.error({ err: error }, 'the demo was not loaded')
    say(`demo: not loaded: ${error instanceof Failure ? error.message : 'see the log'}`)
    return undefined
  }
}

/**
 * Loads all products at the first start. Later starts only update the addresses of moved pictures.
 */
async function bringUpToDate(services: Services, loaded: string, say: DemoOptions['say']) {
  const edition = `${EDITION} at ${services.publicUrl}`
  if (loaded === edition) return
  const moved = loaded.startsWith(`${EDITION} at `)
  say(
    moved ? 'demo: PUBLIC_URL changed; updating the pictures' : 'demo: loading synthetic products',
  )
  const started = performance.now()
  const { status, message, counts } = await imported(services, { edition, onlyPictures: moved })
  if (status !== 'completed') {
    say(`demo: ${status}: ${message}`)
    return
  }
  await retryWhileUnavailable(limits.startWaitMs, () => markLoaded(services, edition))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const done = moved
    ? 'pictures updated'
    : `${counts.created} synthetic products in catalog ${DEMO}`
  say(`demo: ${done}, in ${seconds} s`)
}

interface Load {
  readonly edition: string
  readonly onlyPictures: boolean
}

const fileName = ({ edition }: Load): string => `demo ${edition}.jsonl`

/** Imports the demo, or continues what an earlier start began. */
async function imported(services: Services, load: Load): Promise<Task> {
  const earlier = await retryWhileUnavailable(limits.startWaitMs, () => unfinished(services))
  const finished = earlier && (await ended(services, earlier))
  if (finished?.source === fileName(load) && finished.status === 'completed') return finished
  return ended(
    services,
    await retryWhileUnavailable(limits.startWaitMs, () => begin(services, load)),
  )
}

/** Uploads and imports like any client. */
async function begin(services: Services, load: Load): Promise<Task> {
  const { id } = await keepFile(asAdministrator(services), {
    name: fileName(load),
    type: 'application/jsonl',
    body: lines(services, load),
  })
  const request = ImportRequest.parse({
    fileUrl: fileUrl(services, id),
    fileType: 'jsonl',
    targetCatalog: DEMO,
    createProducts: !load.onlyPictures,
  })
  return startImport(asAdministrator(services), request)
}

/** An import of the demo that this instance's task runner will continue. */
async function unfinished(services: Services): Promise<ListedTask | undefined> {
  const store = await services.files.id()
  const tasks = await listTasks(asAdministrator(services), {
    includeDismissed: true,
    fetchUpdates: true,
  })
  return tasks.find(
    (task) => task.source.startsWith('demo ') && task.store === store && !isFinished(task),
  )
}

/** The lines of the import. Paths of pictures in the files get the address of this service. */
async function* lines({ publicUrl }: Services, { onlyPictures }: Load): AsyncGenerator<Uint8Array> {
  for await (const product of demoLines('products')) {
    const line = product.replaceAll('"/api/images/', `"${publicUrl}/api/images/`)
    yield Buffer.from(`${onlyPictures ? picturesOf(line) : line}\n`)
  }
}

function picturesOf(line: string): string {
  const { id, image, images } = JSON.parse(line)
  return JSON.stringify({ id, image, images })
}

/** Waits for the end of a task, and removes its file. */
async function ended(services: Services, begun: ListedTask & Partial<Task>): Promise<Task> {
  const tasks = tasksOf(services, DEMO)
  const read = async () => (await tasks.get(begun.id))?.source
  let { input } = begun
  for (;;) {
    const task = await retryWhileUnavailable(limits.startWaitMs, read)
    // It has none any more when it has ended.
    input ??= task?.input
    if (task && isFinished(task)) {
      const { file } = (input ?? {}) as { file?: { id: string } }
      if (file) await removeFile(asAdministrator(services), file.id)
      return task
    }
    await setTimeout(LOOK_MS)
  }
}
