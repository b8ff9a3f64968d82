import { access, constants, readdir, readFile, realpath } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'

/** The properties of the machine that the engine depends on, replaceable in tests. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv
  /** Folders that hold JDKs, or are one. */
  readonly jvmFolders: readonly string[]
  /** Undefined on systems without numeric user ids. */
  readonly uid: number | undefined
}

export interface Jdk {
  readonly home: string
  readonly major: number
}

export const MINIMUM_JAVA = 21

const JVM_FOLDERS = [
  '/usr/lib/jvm',
  '/usr/lib64/jvm',
  '/usr/java',
  '/opt/java',
  '/opt/jdk',
  '/opt',
  '/Library/Java/JavaVirtualMachines',
  '/opt/homebrew/opt',
]

export function thisMachine(): Machine {
  const home = process.env.HOME
  const own = home === undefined ? [] : [join(home, '.sdkman/candidates/java'), join(home, '.jdks')]
  return { env: process.env, jvmFolders: [...JVM_FOLDERS, ...own], uid: process.getuid?.() }
}

/** Every JDK found, the best first: JAVA_HOME, then by version, the newest first. */
export async function findJdks(machine: Machine): Promise<Jdk[]> {
  const preferred = await jdkAt(machine.env.JAVA_HOME)
  const java = await findProgram(machine, 'java')
  const homes = new Set(java === undefined ? [] : [dirname(dirname(await realpath(java)))])
  for (const folder of machine.jvmFolders) {
    for (const home of await candidates(folder)) homes.add(home)
  }
  const found = (await Promise.all([...homes].map(jdkAt))).filter((jdk) => jdk !== undefined)
  found.sort((a, b) => b.major - a.major)
  return preferred === undefined ? found : [preferred, ...found]
}

/** The JDK that can build and run the engine. */
export function usableJdk(jdks: readonly Jdk[]): Jdk | undefined {
  return jdks.find(({ major }) => major >= MINIMUM_JAVA)
}

/** Path of a program on PATH. */
export async function findProgram(machine: Machine, name: string): Promise<string | undefined> {
  for (const folder of (machine.env.PATH ?? '').split(delimiter)) {
    if (folder !== '' && (await isExecutable(join(folder, name)))) return join(folder, name)
  }
  return undefined
}

/** Maven on PATH, or in MAVEN_HOME. */
export async function findMaven(machine: Machine): Promise<string | undefined> {
  const home = machine.env.MAVEN_HOME
  if (home !== undefined && (await isExecutable(join(home, 'bin/mvn'))))
    return join(home, 'bin/mvn')
  return findProgram(machine, 'mvn')
}

async function candidates(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const inside = names.flatMap((name) => [
    join(folder, name),
    join(folder, name, 'Contents/Home'),
    join(folder, name, 'libexec/openjdk.jdk/Contents/Home'),
  ])
  return [folder, ...inside]
}

/** The JDK in a folder. A mere runtime is not enough, since the plugin is compiled here. */
async function jdkAt(home: string | undefined): Promise<Jdk | undefined> {
  if (home === undefined || home === '' || !(await isExecutable(join(home, 'bin/javac')))) return
  const release = await readFile(join(home, 'release'), 'utf8').catch(() => '')
  const version = /^JAVA_VERSION="(?:1\.)?(\d+)/m.exec(release)?.[1]
  return version === undefined ? undefined : { home: await realpath(home), major: Number(version) }
}

const isExecutable = (path: string): Promise<boolean> => isAccessible(path, constants.X_OK)

/** Whether a path exists and can be used in this way. */
export const isAccessible = (path: string, mode: number = constants.F_OK): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  )
