import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { CommandFailure } from './command.ts'

/** Does what makes a file; whatever ends it before, Ctrl-C too, takes the file away again. */
export async function wholly<T>(file: string, make: () => Promise<T>): Promise<T> {
  const remove = () => rmSync(file, { force: true })
  process.once('exit', remove)
  try {
    return await make()
  } catch (error) {
    remove()
    throw error
  } finally {
    process.removeListener('exit', remove)
  }
}

/** The JSON of a file, or of standard input for `-`. Throws CommandFailure. */
export async function readJsonFile(file: string): Promise<unknown> {
  const read = file === '-' ? await text(process.stdin) : await readText(file)
  try {
    return JSON.parse(read)
  } catch {
    throw new CommandFailure(`${file === '-' ? 'Standard input' : file} is not JSON.`)
  }
}

/** As `readJsonFile`, of an object. */
export async function readObject(file: string): Promise<Record<string, unknown>> {
  const value = await readJsonFile(file)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandFailure(`${file === '-' ? 'Standard input' : file} is no JSON object.`)
  }
  return value as Record<string, unknown>
}

async function readText(file: string): Promise<string> {
  const read = await readFile(file, 'utf8').catch(() => undefined)
  if (read === undefined) throw new CommandFailure(`${file} is no file that can be read.`)
  return read
}
