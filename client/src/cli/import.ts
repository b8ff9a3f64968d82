import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { Client } from '../client.ts'
import type { Connection } from '../connection.ts'
import { AisleError } from '../error.ts'
import type { Task } from '../generated/api.ts'
import { uploadFile } from '../generated/operations.ts'
import type { Upload } from '../types.ts'
import { CATALOG, CommandFailure, command, requireCatalog, UsageError } from './command.ts'
import { readJsonFile } from './files.ts'
import { oneLine } from './output.ts'
import { createMeter, duration } from './progress.ts'
import { follow, taskSummary } from './tasks.ts'

const MEBIBYTE = 1024 * 1024

/** Uploads a file to the service and shows the progress. Returns the url of the file. */
async function sendFile(connection: Connection, file: string, json: boolean): Promise<string> {
  const unreadable = new CommandFailure(`${file} cannot be read.`)
  const size = await stat(file).catch(() => undefined)
  if (!size?.isFile()) throw unreadable
  const meter = createMeter(process.stderr, 'upload')
  const started = performance.now()
  let bytes = 0
  let isRead = true
  const counted = async function* () {
    try {
      for await (const chunk of createReadStream(file)) {
        yield chunk as Uint8Array
        bytes += (chunk as Uint8Array).byteLength
        const elapsedMs = performance.now() - started
        const part = size.size === 0 ? 1 : bytes / size.size
        if (!json) meter.show({ part, count: bytes / MEBIBYTE, unit: 'MiB', elapsedMs })
      }
    } catch (error) {
      isRead = false
      throw error
    }
  }
  const input = { name: basename(file), body: Readable.toWeb(Readable.from(counted())) as Upload }
  try {
    return (await uploadFile(connection, input)).url
  } catch (error) {
    throw isRead ? error : unreadable
  } finally {
    meter.end()
  }
}

async function createCatalog(client: Client, name: string): Promise<boolean> {
  try {
    await client.createCatalog({ name, active: true })
    return true
  } catch (error) {
    if (error instanceof AisleError && error.code === 'conflict') return false
    throw error
  }
}

function summary(task: Task, ms: number): string[] {
  const { processed, created, updated, unchanged, rejected, rejectsUrl } = task
  return [
    taskSummary(task),
    `${processed} rows in ${duration(ms)}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`,
    ...(task.columns ?? []).map(({ heading, field, attribute, values }) => {
      const filled =
        field === null ? 'not used' : attribute === null ? field : `${field} ${attribute}`
      const count = `${values} ${values === 1 ? 'value' : 'values'}`
      return oneLine(`  ${heading}: ${filled} (${count})`)
    }),
    ...(task.warnings ?? []).map((warning) => oneLine(`  warning: ${warning}`)),
    ...(rejectsUrl ? [`rejected rows with lines and reasons: ${rejectsUrl}`] : []),
  ]
}

export const importCommands = [
  command({
    name: 'import',
    summary: 'Imports a file into a catalog and prints the results.',
    operands: 'FILE',
    count: [0, Infinity],
    options: {
      catalog: CATALOG,
      type: {
        value: 'TYPE',
        choices: ['csv', 'tsv', 'jsonl', 'xlsx', 'bmecat', 'cif', 'parquet', 'google'],
        about: 'type of the file (default: detected)',
      },
      vendor: { value: 'NAME', about: 'vendor of rows without one' },
      mapping: {
        value: 'FILE.json',
        about: 'a list of {"column", "field", "attribute"} (default: headings are matched)',
      },
      'create-catalog': { about: 'create the catalog if it does not exist' },
    },
    async run({ operands, values, catalog, client, connection, json, say, answer }) {
      const [file, ...others] = operands
      if (file === undefined || others.length > 0)
        throw new UsageError('Specify one file to import.')
      const name = requireCatalog(catalog)
      const mappings = values.mapping === undefined ? undefined : await readJsonFile(values.mapping)
      if (values['create-catalog'] && (await createCatalog(client, name)) && !json) {
        say(`Catalog ${name} created.`)
      }
      const fileUrl = await sendFile(connection, file, json)
      const started = performance.now()
      const { taskId } = await client.importData({
        fileUrl,
        targetCatalog: name,
        ...(values.type === undefined ? {} : { fileType: values.type }),
        ...(values.vendor === undefined ? {} : { vendor: values.vendor }),
        ...(mappings === undefined ? {} : { mappings: mappings as never }),
      })
      const task = await follow(connection, taskId!, { label: 'import', json })
      answer(task, () => summary(task, performance.now() - started))
      return task.success && (task.processed === 0 || task.rejected < task.processed) ? 0 : 1
    },
  }),
]
