import { type FileHandle, open } from 'node:fs/promises'
import type { Client } from '../client.ts'
import { CommandFailure, command, UsageError } from './command.ts'
import { removingOnFailure } from './files.ts'
import { columns, oneLine } from './output.ts'
import { profilesFile, readProfiles, withProfile, writeProfiles } from './profiles.ts'

type Wanted = Parameters<Client['generateAPIKey']>[0]

/** Creates a file that only its owner may read, before a key exists that could be lost. */
async function newFile(file: string): Promise<FileHandle> {
  return open(file, 'wx', 0o600).catch(({ code }: NodeJS.ErrnoException) => {
    const reason = code === 'EEXIST' ? 'it already exists' : code
    throw new CommandFailure(`${file} cannot be written: ${reason}.`)
  })
}

async function makeKey(client: Client, wanted: Wanted) {
  const { key, ...made } = await client.generateAPIKey(wanted)
  if (!key) throw new CommandFailure(made.error ?? 'The service returned no key.')
  return { key, made }
}

/** Creates a key and writes it to `file`, which is removed again if no key was created. */
async function makeKeyIn(file: string, client: Client, wanted: Wanted) {
  const handle = await newFile(file)
  try {
    return await removingOnFailure(file, async () => {
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
    summary: 'Lists the keys that you have access to, without the keys themselves.',
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
    summary: 'Creates a key and writes it to a file or a profile. It is never printed.',
    options: {
      name: { value: 'TEXT', about: 'name of the key' },
      type: {
        value: 'TYPE',
        choices: ['full', 'search', 'import'],
        about: 'full, search or import',
      },
      user: { value: 'NAME', about: 'user of a full key (default: you)' },
      origin: {
        value: 'ORIGIN',
        multiple: true,
        about: 'origin of pages that can use a search key',
      },
      output: { value: 'FILE', short: 'o', about: 'new file for the key' },
      'save-as': { value: 'PROFILE', about: 'profile for the key and the same service' },
    },
    async run({ values, connection, catalog, client, environment, say, json }) {
      const { name, type, user, origin, output } = values
      const profile = values['save-as']
      if (!name || !type) throw new UsageError('Set --name and --type.')
      if ((output === undefined) === (profile === undefined)) {
        throw new UsageError('Set --output FILE or --save-as PROFILE for the key.')
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
          : oneLine(`Key ${made.id} saved in ${output ?? `profile ${profile}`}.`),
      )
      return undefined
    },
  }),
  command({
    name: 'keys disable',
    summary: 'Disables a key permanently.',
    operands: 'ID',
    count: [1, 1],
    async run({ operands, client, answer }) {
      const answered = await client.disableAPIKey({ id: operands[0]! })
      answer(answered, () => [oneLine(answered.message)])
      return undefined
    },
  }),
]
