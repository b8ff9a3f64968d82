import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { CommandFailure } from './command.ts'

/** Runs `make`, and removes the file if that fails or the process exits meanwhile, as by Ctrl-C. */
export async function removingOnFailure<T>(file: string, make: () => Promise<T>): Promise<T> {
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

/** Parses a JSON file, or standard input if `file` is `-`. Throws CommandFailure. */
export async function readJsonFile(file: string): Promise<unknown> {
  const read = file === '-' ? await text(process.stdin) : await readText(file)
  try {
    return JSON.parse(read)
  } catch {
    throw new CommandFailure(`${file === '-' ? 'Standard input' : file} is not JSON.`)
  }
}

/** Like `readJsonFile`, but requires a JSON object. */
export async function readObject(file: string): Promise<Record<string, unknown>> {
  const value = await readJsonFile(file)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandFailure(`${file === '-' ? 'Standard input' : file} is not a JSON object.`)
  }
  return value as Record<string, unknown>
}

async function readText(file: string): Promise<string> {
  const read = await readFile(file, 'utf8').catch(() => undefined)
  if (read === undefined) throw new CommandFailure(`${file} cannot be read.`)
  return read
}
