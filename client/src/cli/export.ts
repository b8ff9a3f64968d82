import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AisleError } from '../error.ts'
import { bytesOf, exportFile } from '../export.ts'
import type { Input } from '../types.ts'
import { CATALOG, CommandFailure, command } from './command.ts'
import { readObject, removingOnFailure } from './files.ts'
import { createMeter } from './progress.ts'

/** Saves a file atomically: on failure no partial file is left. */
async function save(body: Readable, file: string): Promise<void> {
  const fresh = `${file}.${randomUUID()}.part`
  try {
    await removingOnFailure(fresh, async () => {
      await pipeline(body, createWriteStream(fresh, { flags: 'wx' }))
      await rename(fresh, file)
    })
  } catch (error) {
    if (error instanceof AisleError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw code ? new CommandFailure(`${file} cannot be written: ${code}.`) : error
  }
}

export const exportCommands = [
  command({
    name: 'export',
    summary: 'Exports a catalog, or the results of a search, to a file or to standard output.',
    options: {
      catalog: CATALOG,
      type: { value: 'TYPE', choices: ['jsonl', 'csv'], about: 'jsonl (default) or csv' },
      output: { value: 'FILE', short: 'o', about: 'file to write when the export is complete' },
      columns: { value: 'LIST', about: 'csv only: names of fields separated by commas' },
      search: {
        value: 'FILE.json',
        about: 'only results of this search (JSON); - reads standard input',
      },
    },
    async run({ values, catalog, connection, json }) {
      const search = values.search === undefined ? undefined : await readObject(values.search)
      const meter = createMeter(process.stderr, 'export')
      const started = performance.now()
      const file = await exportFile(
        connection,
        {
          catalog,
          extension: values.type,
          search: search as Omit<Input<'search'>, 'catalog'> | undefined,
          fields: values.columns === undefined ? {} : { columns: values.columns },
        },
        {
          onProgress: ({ percentCompleted, processed }) =>
            json ||
            meter.show({
              part: percentCompleted / 100,
              count: processed,
              unit: 'products',
              elapsedMs: performance.now() - started,
            }),
        },
      ).finally(() => meter.end())
      const body = Readable.from(bytesOf(file))
      if (values.output === undefined) await pipeline(body, process.stdout, { end: false })
      else await save(body, values.output)
      return undefined
    },
  }),
]
