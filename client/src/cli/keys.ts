import { type FileHandle, open } from 'node:fs/promises'
import type { Client } from '../client.ts'
import { CommandFailure, command, UsageError } from './command.ts'
import { wholly } from './files.ts'
import { columns, oneLine } from './output.ts'
import { profilesFile, readProfiles, withProfile, writeProfiles } from './profiles.ts'

type Wanted = Parameters<Client['generateAPIKey']>[0]

/** Creates a file that only its owner may read, before a key exists that could be lost. */
async function newFile(file: string): Promise<FileHandle> {
  return open(file, 'wx', 0o600).catch(({ code }: NodeJS.ErrnoException) => {
    const reason = code === 'EEXIST' ? 'it exists already' : code
    throw new CommandFailure(`${file} cannot be written: ${reason}.`)
  })
}

async function makeKey(client: Client, wanted: Wanted) {
  const { key, ...made } = await client.generateAPIKey(wanted)
  if (!key) throw new CommandFailure(made.error ?? 'The service made no key.')
  return { key, made }
}

/** Creates a key and writes it to `file`, which is removed again if no key was created. */
async function makeKeyIn(file: string, client: Client, wanted: Wanted) {
  const handle = await newFile(file)
  try {
    return await wholly(file, async () => {
      const made = await makeKey(client, wanted)
      await handle.writeFile(`${made.key}\n`)
      return made
    })
  } finally {
    await handle.close()
  }
}

export const keyCommands = [
  command({
    name: 'keys list',
    summary: 'Lists the keys that the caller may see; never the keys themselves.',
    async run({ client, answer }) {
      const answered = await client.getAPIKeys()
      answer(answered, () =>
        columns(
          ['id', 'name', 'type', 'user', 'status', 'last used'],
          answered.keys.map((key) => [
            key.id,
            key.name,
            key.keyType,
            key.username,
            key.enabled ? 'active' : 'disabled',
            key.lastUsed,
          ]),
        ),
      )
      return undefined
    },
  }),
  command({
    name: 'keys create',
    summary: 'Makes a key. It is written to a file or a profile, and never printed.',
    options: {
      name: { value: 'TEXT', about: 'what it is for' },
      type: {
        value: 'TYPE',
        choices: ['full', 'search', 'import'],
        about: 'full, search or import',
      },
      user: { value: 'NAME', about: 'whom a full key is for; you when absent' },
      origin: { value: 'ORIGIN', multiple: true, about: 'of pages that may use a search key' },
      output: { value: 'FILE', short: 'o', about: 'a new file for the key' },
      'save-as': { value: 'PROFILE', about: 'a profile with the key, for the same service' },
    },
    async run({ values, connection, catalog, client, environment, say, json }) {
      const { name, type, user, origin, output } = values
      const profile = values['save-as']
      if (!name || !type) throw new UsageError('Say --name and --type.')
      if ((output === undefined) === (profile === undefined)) {
        throw new UsageError('Say where the key goes: --output FILE or --save-as PROFILE.')
      }
      const file = profilesFile(environment)
      const profiles = profile === undefined ? undefined : await readProfiles(file)
      const wanted = {
        name,
        keyType: type,
        ...(user === undefined ? {} : { username: user }),
        ...(origin === undefined ? {} : { origins: origin }),
      }
      // Validate the profile before a key is created that could not be saved in it.
      if (profiles) withProfile(profiles, profile!, { url: connection.url, key: '' })
      const { key, made } = await (output === undefined
        ? makeKey(client, wanted as Wanted)
        : makeKeyIn(output, client, wanted as Wanted))
      if (profiles) {
        const { url, organization } = connection
        const kept = {
          url,
          key,
          ...(organization ? { organization } : {}),
          ...(catalog ? { catalog } : {}),
        }
        await writeProfiles(file, withProfile(profiles, profile!, kept))
      }
      say(
        json
          ? JSON.stringify(made)
          : oneLine(`Key ${made.id} is in ${output ?? `profile ${profile}`}.`),
      )
      return undefined
    },
  }),
  command({
    name: 'keys disable',
    summary: 'Disables a key for good.',
    operands: 'ID',
    count: [1, 1],
    async run({ operands, client, answer }) {
      const answered = await client.disableAPIKey({ id: operands[0]! })
      answer(answered, () => [oneLine(answered.message)])
      return undefined
    },
  }),
]
