import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { type ImportArguments, readArguments, USAGE, UsageError } from './arguments.ts'
import {
  ImportFailure,
  type ImportTask,
  readTask,
  request,
  requestOk,
  type ServiceConnection,
  upload,
} from './client.ts'
import { createMeter, duration } from './progress.ts'

const POLL_MS = 300
const MEBIBYTE = 1024 * 1024

const say = (line: string) => process.stdout.write(`${line}\n`)

async function createCatalog(connection: ServiceConnection, name: string): Promise<void> {
  const json = { name, active: true }
  const { status, body } = await request(connection, 'POST /api/Catalog', { json })
  if (status === 200) say(`Catalog ${name} created.`)
  else if (status !== 409) throw new ImportFailure(`${status}: ${String(body.message)}`)
}

async function sendFile(connection: ServiceConnection, file: string): Promise<string> {
  const meter = createMeter(process.stderr, 'upload')
  const started = performance.now()
  const fileUrl = await upload(connection, file, (bytes, total) =>
    meter.show({
      part: total === 0 ? 1 : bytes / total,
      count: bytes / MEBIBYTE,
      unit: 'MiB',
      elapsedMs: performance.now() - started,
    }),
  )
  meter.end()
  return fileUrl
}

async function mappingsOf(file: string | undefined): Promise<unknown> {
  if (file === undefined) return undefined
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) throw new ImportFailure(`${file} is no file that can be read.`)
  try {
    return JSON.parse(text)
  } catch {
    throw new ImportFailure(`${file} is not JSON.`)
  }
}

/** Shows the progress of a task until it ends; retries failed requests. */
async function follow(connection: ServiceConnection, id: string): Promise<ImportTask> {
  const meter = createMeter(process.stderr, 'import')
  const started = performance.now()
  for (let failures = 0; ; ) {
    try {
      const task = await readTask(connection, id)
      failures = 0
      meter.show({
        part: task.percentCompleted / 100,
        count: task.processed,
        unit: 'rows',
        elapsedMs: performance.now() - started,
      })
      if (task.completed) {
        meter.end()
        return task
      }
    } catch (error) {
      // The import continues in the service whether or not we can reach it.
      failures += 1
      if (failures > 100) throw error
    }
    await setTimeout(POLL_MS)
  }
}

function summarise(task: ImportTask, ms: number): void {
  const { processed, created, updated, unchanged, rejected, rejectsUrl } = task
  say(`${task.status}: ${task.message}`)
  say(
    `${processed} rows in ${duration(ms)}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`,
  )
  for (const { heading, field, attribute, values } of task.columns ?? []) {
    const filled =
      field === null ? 'not used' : attribute === null ? field : `${field} ${attribute}`
    say(`  ${heading}: ${filled} (${values} ${values === 1 ? 'value' : 'values'})`)
  }
  if (rejectsUrl) say(`rejected rows with line and reason: ${rejectsUrl}`)
}

/** Imports one file. Returns the exit status: 0, or 1 when the import failed or accepted no row. */
async function run(given: ImportArguments): Promise<number> {
  const { catalog, type, vendor } = given
  const mappings = await mappingsOf(given.mapping)
  if (given.createCatalog) await createCatalog(given, catalog)
  const fileUrl = await sendFile(given, given.file)
  const started = performance.now()
  const json = { fileUrl, fileType: type, targetCatalog: catalog, vendor, mappings }
  const { taskId } = await requestOk(given, 'POST /api/extensions/import/import', { json })
  const task = await follow(given, String(taskId))
  summarise(task, performance.now() - started)
  return task.success && (task.processed === 0 || task.rejected < task.processed) ? 0 : 1
}

try {
  const given = readArguments(process.argv.slice(2), process.env)
  if (given) process.exitCode = await run(given)
  else say(USAGE)
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${USAGE}\n`)
  else process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
