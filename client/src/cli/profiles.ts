import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandFailure } from './command.ts'

/** A service, the key to call it with, and its default catalog. */
export interface Profile {
  readonly url: string
  readonly key: string
  readonly organization?: string
  readonly catalog?: string
}

/** Content of the profiles file. */
export interface Profiles {
  /** Name of the profile that is used when none is named. */
  readonly current?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Path of the profiles file: AISLE_CONFIG, or a file in the user's configuration folder. */
export function profilesFile(environment: NodeJS.ProcessEnv): string {
  if (environment.AISLE_CONFIG) return environment.AISLE_CONFIG
  const folder =
    environment.XDG_CONFIG_HOME ||
    (process.platform === 'win32' ? environment.APPDATA : undefined) ||
    join(homedir(), '.config')
  return join(folder, 'aisle', 'profiles.json')
}

/** Reads the profiles; there are none if the file does not exist. Throws CommandFailure. */
export async function readProfiles(file: string): Promise<Profiles> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new CommandFailure(`${file} cannot be read: ${error.code}.`)
  })
  if (text === undefined) return { profiles: {} }
  await refuseReadableByOthers(file)
  const read = parsed(text)
  if (!read) throw new CommandFailure(`${file} is not a profiles file.`)
  return read
}

function parsed(text: string): Profiles | undefined {
  try {
    const { current, profiles } = JSON.parse(text) as Partial<Profiles>
    if (typeof profiles !== 'object' || profiles === null) return undefined
    const kept = Object.entries(profiles).filter(([name]) => NAME.test(name))
    const isWhole = kept.every(
      ([, { url, key }]) => typeof url === 'string' && typeof key === 'string',
    )
    return isWhole
      ? { ...(current ? { current } : {}), profiles: Object.fromEntries(kept) }
      : undefined
  } catch {
    return undefined
  }
}

async function refuseReadableByOthers(file: string): Promise<void> {
  if (process.platform === 'win32') return
  const { mode } = await stat(file)
  if ((mode & 0o077) !== 0) {
    throw new CommandFailure(
      `Other users can read the keys in ${file}: run chmod 600 on it, or generate new keys.`,
    )
  }
}

/** Writes the profiles atomically, readable by their owner only. */
export async function writeProfiles(file: string, profiles: Profiles): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${randomUUID()}`
  try {
    await writeFile(fresh, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await chmod(fresh, 0o600)
    await rename(fresh, file)
  } catch (error) {
    await rm(fresh, { force: true })
    const { code } = error as NodeJS.ErrnoException
    throw new CommandFailure(`${file} cannot be written: ${code}.`)
  }
}

/** Adds or replaces a profile. Throws CommandFailure for an invalid name. */
export function withProfile(
  { current, profiles }: Profiles,
  name: string,
  profile: Profile,
): Profiles {
  if (!NAME.test(name)) {
    throw new CommandFailure(
      'The name of a profile must consist of letters, digits, dots, dashes and underscores.',
    )
  }
  return { current: current ?? name, profiles: { ...profiles, [name]: profile } }
}
