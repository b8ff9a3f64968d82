import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { S3mini } from 's3mini'
import { findJdks, findMaven, thisMachine, usableJdk } from '../../src/engine/machine.ts'
import { spawnGroup } from '../../src/engine/process-group.ts'
import type { S3Settings } from '../../src/platform/s3-calls.ts'

const VERSION = '4.1.0'
const JAR = `s3proxy-${VERSION}-jar-with-dependencies.jar`
const CACHE = resolve('node_modules/.cache/aisle')
const STARTED_MS = 60_000

export interface S3Server extends S3Settings {
  /** Lists keys and unfinished uploads. */
  leftovers(prefix: string): Promise<{ keys: string[]; uploads: unknown }>
  stop(): Promise<void>
}

/** Starts S3Proxy, an S3-compatible server that checks signatures, with one bucket in a folder. */
export async function startS3Server(): Promise<S3Server> {
  const jdk = usableJdk(await findJdks(thisMachine()))
  if (!jdk) throw new Error('S3Proxy needs the JDK that the engine needs.')
  const jar = await fetchedJar(jdk.home)
  const folder = await mkdtemp(join(tmpdir(), 'aisle-s3-'))
  const endpoint = `http://127.0.0.1:${await freePort()}`
  const [accessKeyId, secretAccessKey] = ['test-access', 'test-secret']
  await mkdir(join(folder, 'data'))
  const properties = join(folder, 's3proxy.conf')
  await writeFile(
    properties,
    [
      `s3proxy.endpoint=${endpoint}`,
      's3proxy.authorization=aws-v4',
      `s3proxy.identity=${accessKeyId}`,
      `s3proxy.credential=${secretAccessKey}`,
      'jclouds.provider=filesystem-nio2',
      `jclouds.filesystem.basedir=${join(folder, 'data')}`,
    ].join('\n'),
  )
  const java = join(jdk.home, 'bin/java')
  // Runs for seconds only, so that full optimization would cost more than it gains.
  const args = ['-Xmx256m', '-XX:TieredStopAtLevel=1', '-jar', jar, '--properties', properties]
  const { child: server, ended } = await spawnGroup(java, args, { stdio: 'ignore' })
  const settings = { endpoint, bucket: 'files', prefix: '', region: 'us-east-1' }
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3mini({ ...credentials, region: 'us-east-1', endpoint: `${endpoint}/files` })
  await answering(endpoint)
  await client.createBucket()
  return {
    ...settings,
    ...credentials,
    async leftovers(prefix) {
      const found = await client.listObjects('/', prefix)
      const uploads = await client.listMultipartUploads('/', '', 'GET', { prefix })
      return { keys: (found ?? []).map(({ Key }) => Key).toSorted(), uploads }
    },
    async stop() {
      server.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The path of the jar, which Maven fetches once for all runs. */
async function fetchedJar(javaHome: string): Promise<string> {
  const jar = join(CACHE, JAR)
  if (
    await access(jar).then(
      () => true,
      () => false,
    )
  )
    return jar
  const maven = await findMaven(thisMachine())
  if (!maven) throw new Error('Maven (mvn) is needed once to fetch S3Proxy: install Maven.')
  await mkdir(CACHE, { recursive: true })
  const work = await mkdtemp(join(CACHE, 's3proxy-'))
  await promisify(execFile)(
    maven,
    [
      '--batch-mode',
      '--quiet',
      'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy',
      `-Dartifact=org.gaul:s3proxy:${VERSION}:jar:jar-with-dependencies`,
      `-DoutputDirectory=${work}`,
    ],
    { env: { ...process.env, JAVA_HOME: javaHome }, cwd: tmpdir() },
  )
  await rename(join(work, JAR), jar)
  await rm(work, { recursive: true })
  return jar
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function answering(endpoint: string): Promise<void> {
  const end = performance.now() + STARTED_MS
  for (;;) {
    const answer = await fetch(endpoint).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer) return
    if (performance.now() > end) throw new Error('S3Proxy did not start.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
