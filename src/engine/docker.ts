import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { StartupFailure } from '../errors.ts'
import type { EmbeddedOptions } from './embedded.ts'
import { findProgram, type Machine } from './machine.ts'
import type { RunningEngine } from './process.ts'
import { runWhenGone } from './process-group.ts'
import { ENGINE_VERSION } from './version.ts'

const run = promisify(execFile)
const COMPOSE_FILE = fileURLToPath(new URL('../../docker-compose.yml', import.meta.url))
const PULL_MS = 30 * 60_000

export interface DockerOptions extends EmbeddedOptions {
  readonly image: string
}

/** Why Docker cannot run Elasticsearch here, or undefined when it can. */
export async function dockerObstacle(machine: Machine): Promise<string | undefined> {
  const docker = await findProgram(machine, 'docker')
  if (docker === undefined) return 'Docker not found'
  const answer = await run(docker, ['info'], { env: machine.env }).catch((error) => error)
  const printed = `${answer.stderr ?? ''}`
  if (/permission denied/i.test(printed)) {
    return 'this user is not in the docker group (sudo usermod -aG docker "$USER", then log in again)'
  }
  if (answer instanceof Error) return 'Docker does not respond'
  const compose = await run(docker, ['compose', 'version'], { env: machine.env }).catch(
    () => undefined,
  )
  return compose === undefined ? 'the Docker Compose plugin is not installed' : undefined
}

/**
 * Starts the service `elasticsearch` of docker-compose.yml in a project of this data folder's own.
 * Its data lies in a volume of that project.
 */
export async function dockerElasticsearch(options: DockerOptions): Promise<RunningEngine> {
  const { machine, image, dataDir, say } = options
  const project = `aisle-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`
  const compose = ['compose', '--file', COMPOSE_FILE, '--project-name', project]
  const env = {
    ...machine.env,
    ELASTICSEARCH_IMAGE: image,
    ELASTICSEARCH_PORT: '0',
    ELASTICSEARCH_RESTART: 'no',
  }
  const call = async (...rest: string[]) => {
    const result = await run('docker', [...compose, ...rest], { env, timeout: PULL_MS })
    return result.stdout.trim()
  }
  say(`starting Elasticsearch ${ENGINE_VERSION} with Docker (image ${image}, project ${project})`)
  const callOff = runWhenGone('docker "$@"', ...compose, 'stop', 'elasticsearch')
  try {
    await call('up', '--detach', '--wait', 'elasticsearch')
    const node = `http://${await call('port', 'elasticsearch', '9200')}`
    say(`Elasticsearch is ready at ${node}`)
    const stop = async () => {
      await call('stop', '--timeout', '10', 'elasticsearch')
      callOff()
    }
    return { node, exited: new Promise(() => undefined), stop }
  } catch (cause) {
    callOff()
    await call('stop', 'elasticsearch').catch(() => undefined)
    throw new StartupFailure(dockerFailure(cause, image), { cause })
  }
}

function dockerFailure(error: unknown, image: string): string {
  const printed = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
  const last = printed.trim().split('\n').at(-1)?.trim().slice(0, 300)
  const reason = last || 'no reason given'
  return `Docker could not start Elasticsearch from the image ${image} (${reason}): fix this, or set ELASTICSEARCH_URL or ELASTICSEARCH_IMAGE.`
}
