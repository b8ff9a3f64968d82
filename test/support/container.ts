import { connect } from 'node:net'
import { GenericContainer, Wait } from 'testcontainers'

export const DEFAULT_IMAGE = 'elasticsearch:9.5.3'

/** Whether a Docker engine listens on its socket, or is named by DOCKER_HOST. */
export async function dockerAnswers(): Promise<boolean> {
  if (process.env.DOCKER_HOST) return true
  return new Promise((answer) => {
    const socket = connect('/var/run/docker.sock')
    socket.on('connect', () => {
      socket.destroy()
      answer(true)
    })
    socket.on('error', () => answer(false))
  })
}

export interface Container {
  readonly node: string
  stop(): Promise<void>
}

/** Starts a temporary Elasticsearch in a container of the given image. */
export async function startContainer(image: string): Promise<Container> {
  const container = await new GenericContainer(image)
    .withEnvironment({
      'discovery.type': 'single-node',
      'xpack.security.enabled': 'false',
      'cluster.routing.allocation.disk.threshold_enabled': 'false',
      ES_JAVA_OPTS: '-Xms1g -Xmx1g',
    })
    .withExposedPorts(9200)
    .withWaitStrategy(Wait.forHttp('/_cluster/health', 9200))
    .withStartupTimeout(180_000)
    .start()
  const node = `http://${container.getHost()}:${container.getMappedPort(9200)}`
  return { node, stop: async () => void (await container.stop()) }
}
