import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../support/client.ts'
import { lonely } from './survival-file.ts'

const OVER = ['completed', 'failed', 'cancelled', 'waiting']

type Task = Record<string, unknown> & { processed: number; percentCompleted: number }

/** Polls the task continuously. */
export function watchProgress(call: Call, id: string) {
  let latest: Task = { processed: 0, percentCompleted: 0 }
  let fell = 0
  let over = false
  const ended = (async () => {
    while (!over) {
      const { status, body } = await call('GET /api/tasks')
      // A busy machine may answer 503; the request is repeated.
      if (status !== 200) continue
      const next: Task = body.items.find((task: { id: string }) => task.id === id)
      if (next.processed < latest.processed) fell++
      if (next.percentCompleted < latest.percentCompleted) fell++
      latest = next
      over = OVER.includes(next.status as string)
      await sleep(150)
    }
    return latest
  })()
  return {
    ended,
    latest: () => latest,
    fell: () => fell,
    isOver: () => over,
    /** Resolves to false if the import ends before it gets there. */
    async reaches(processed: number): Promise<boolean> {
      while (latest.processed < processed && !over) await sleep(20)
      return !over
    },
  }
}

interface Editing {
  readonly watch: ReturnType<typeof watchProgress>
  readonly rows: number
  readonly random: () => number
  readonly edits: Map<string, string>
}

/** Changes names of products that the import has just written and does not touch again. */
export async function editWhile(
  call: Call,
  { watch, rows, random, edits }: Editing,
): Promise<void> {
  for (const id of lonely(rows)) {
    if (watch.isOver()) return
    if (random() > 0.05) continue
    const name = `Changed ${id}`
    for (;;) {
      const answer = await call(`PUT /api/Catalog/c/products/${id}`, { body: { name } })
      if (answer.status === 200) break
      if (watch.isOver()) return
      await sleep(20)
    }
    edits.set(id, name)
  }
}
