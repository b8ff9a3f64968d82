import { readFile } from 'node:fs/promises'
import { StartupFailure } from '../errors.ts'

/** The text of a file; undefined when there is none. Throws StartupFailure if it is unreadable. */
export const readOptionalFile = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT') return undefined
    throw new StartupFailure(`${path} cannot be read (${code}): make it readable for this user.`)
  })
