import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandFailure, command, type Options, type Session, UsageError } from './command.ts'
import { plainUrl } from './connection.ts'
import { columns } from './output.ts'
import { profilesFile, readProfiles, withProfile, writeProfiles } from './profiles.ts'

/** Reads the key from the environment, from piped input, or from a terminal without echo. */
async function readKey(environment: NodeJS.ProcessEnv): Promise<string> {
  if (environment.AISLE_API_KEY) return environment.AISLE_API_KEY
  const key = (process.stdin.isTTY ? await promptForKey() : await text(process.stdin)).trim()
  if (key === '' || /\s/.test(key)) throw new UsageError('Pass the key on standard input.')
  return key
}

function promptForKey(): Promise<string> {
  process.stderr.write('API key (not shown): ')
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  return new Promise((resolve, reject) => {
    lines.once('SIGINT', () => reject(new CommandFailure('No key was entered.')))
    lines.question('', resolve)
  }).finally(() => {
    lines.close()
    process.stderr.write('\n')
  }) as Promise<string>
}

const named = async ({
  operands,
  environment,
}: Pick<Session<Options>, 'operands' | 'environment'>) => {
  const file = profilesFile(environment)
  const all = await readProfiles(file)
  const name = operands[0]!
  if (!Object.hasOwn(all.profiles, name)) throw new CommandFailure(`Profile ${name} not found.`)
  return { file, all, name }
}

export const profileCommands = [
  command({
    name: 'profile list',
    summary: 'Lists the profiles, without their keys.',
    isLocal: true,
    async run({ environment, answer }) {
      const { current, profiles } = await readProfiles(profilesFile(environment))
      const rows = Object.entries(profiles).map(([name, { url, organization, catalog }]) => ({
        name,
        isCurrent: name === current,
        url,
        organization: organization ?? null,
        catalog: catalog ?? null,
      }))
      answer(rows, () =>
        columns(
          ['', 'name', 'url', 'organization', 'catalog'],
          rows.map((one) => [
            one.isCurrent ? '*' : '',
            one.name,
            one.url,
            one.organization,
            one.catalog,
          ]),
        ),
      )
      return undefined
    },
  }),
  command({
    name: 'profile add',
    summary:
      'Saves a service and a key as a profile. The key is read from AISLE_API_KEY or standard input.',
    operands: 'NAME',
    count: [1, 1],
    isLocal: true,
    options: { catalog: { value: 'NAME', about: 'default catalog of commands' } },
    async run({ operands, values, environment, answer }) {
      const { url, organization, key } = values as Record<string, string | undefined>
      if (key !== undefined)
        throw new UsageError(
          'A key on the command line is visible to others: pass it on standard input.',
        )
      const file = profilesFile(environment)
      const profiles = await readProfiles(file)
      const { catalog } = values
      const profile = {
        url: plainUrl(url ?? environment.AISLE_URL ?? 'http://127.0.0.1:3000'),
        key: await readKey(environment),
        ...(organization ? { organization } : {}),
        ...(catalog ? { catalog } : {}),
      }
      const name = operands[0]!
      await writeProfiles(file, withProfile(profiles, name, profile))
      answer({ name, file }, () => [`Profile ${name} saved in ${file}.`])
      return undefined
    },
  }),
  command({
    name: 'profile use',
    summary: 'Sets the default profile.',
    operands: 'NAME',
    count: [1, 1],
    isLocal: true,
    async run(session) {
      const { file, all, name } = await named(session)
      await writeProfiles(file, { ...all, current: name })
      session.answer({ name, current: name }, () => [`Profile ${name} is now the default.`])
      return undefined
    },
  }),
  command({
    name: 'profile remove',
    summary: 'Removes a profile and its key. The key itself stays valid.',
    operands: 'NAME',
    count: [1, 1],
    isLocal: true,
    async run(session) {
      const { file, all, name } = await named(session)
      const { [name]: _removed, ...profiles } = all.profiles
      const current = all.current === name ? undefined : all.current
      await writeProfiles(file, { ...(current ? { current } : {}), profiles })
      session.answer({ name, current: current ?? null }, () => [`Profile ${name} removed.`])
      return undefined
    },
  }),
]
