import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EngineFolders, replaceFile } from './folders.ts'

/** Heap of the embedded engine; the process takes about 300 MiB more. */
const HEAP = '1g'

/**
 * Replaces the configuration at each start. For port 0 the system chooses a free one, which the
 * ports file names.
 */
export async function writeConfig(home: string, folders: EngineFolders, port = 0): Promise<void> {
  const shipped = await readFile(join(home, 'config/jvm.options'), 'utf8')
  const files = {
    'elasticsearch.yml': nodeSettings(folders, port),
    'jvm.options': jvmOptions(shipped, folders),
    'log4j2.properties': LOGGING,
  }
  for (const [name, text] of Object.entries(files)) {
    await replaceFile(join(folders.config, name), text)
  }
}

function nodeSettings(folders: EngineFolders, port: number): string {
  const settings = {
    'cluster.name': 'aisle',
    'node.name': 'embedded',
    'path.data': folders.data,
    'path.logs': folders.logs,
    'path.repo': folders.snapshots,
    'discovery.type': 'single-node',
    'network.host': '127.0.0.1',
    'http.port': port,
    'transport.port': 0,
    'node.portsfile': true,
    'xpack.security.enabled': false,
    // The defaults are shares of the disk, which stop a small engine on a large disk too early.
    'cluster.routing.allocation.disk.watermark.low': '1gb',
    'cluster.routing.allocation.disk.watermark.high': '750mb',
    'cluster.routing.allocation.disk.watermark.flood_stage': '500mb',
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('')
}

/** The shipped options, without garbage-collection logs and heap dumps beside the heap's size. */
function jvmOptions(shipped: string, folders: EngineFolders): string {
  const kept = shipped
    .split('\n')
    .filter((line) => !/^(#|\s*$|-Xlog|-XX:ErrorFile|-XX:\+HeapDump)/.test(line))
  return [
    ...kept,
    `-XX:ErrorFile=${join(folders.logs, 'hs_err_pid%p.log')}`,
    `-Xms${HEAP}`,
    `-Xmx${HEAP}`,
    '',
  ].join('\n')
}

const LOGGING = `status = error
appender.file.type = RollingFile
appender.file.name = file
appender.file.fileName = \${sys:es.logs.base_path}\${sys:file.separator}elasticsearch.log
appender.file.filePattern = \${sys:es.logs.base_path}\${sys:file.separator}elasticsearch-%i.log
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = [%d{ISO8601}][%-5p][%-25c{1.}] %m%n
appender.file.policies.type = Policies
appender.file.policies.size.type = SizeBasedTriggeringPolicy
appender.file.policies.size.size = 10MB
appender.file.strategy.type = DefaultRolloverStrategy
appender.file.strategy.max = 3
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%-25c{1.}] %m%n
# What is printed lands in a file that has no bound.
appender.console.filter.burst.type = BurstFilter
appender.console.filter.burst.level = fatal
appender.console.filter.burst.rate = 0.05
appender.console.filter.burst.maxBurst = 100
rootLogger.level = info
rootLogger.appenderRef.file.ref = file
rootLogger.appenderRef.console.ref = console
rootLogger.appenderRef.console.level = error
`
