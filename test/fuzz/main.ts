import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { REVISIONS } from '../../src/operation.ts'
import { type PythonTool, pythonTool, run } from '../support/python-tool.ts'
import { startTarget, type Target } from './service.ts'

/** Checks of every answer. Permissions are tested by the access matrix instead. */
const CHECKS = [
  'not_a_server_error',
  'documented_status',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'nothing_internal',
]

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
})
const seconds = Math.round((Number(values.minutes) * 60) / REVISIONS.length)
if (!(seconds >= 1)) throw new Error('--minutes: a number, 10 by default')

const fuzz = (
  { address, key, keyId, organization, prefix }: Target,
  tool: PythonTool,
  revision: string,
) =>
  run(
    tool,
    [
      'run',
      `${address}/openapi/${revision}.json`,
      ...['--url', address, '--max-time', String(seconds)],
      ...['-H', `authorization: Bearer ${key}`, '-H', `x-organization: ${organization}`],
      ...['-H', `x-api-version: ${revision}`, '--checks', CHECKS.join(',')],
      ...['--continue-on-failure', '--warnings', 'off', '--request-timeout', '10'],
      ...(values.seed === undefined ? [] : ['--seed', values.seed]),
    ],
    {
      SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'hooks.py'),
      INDEX_PREFIX: prefix,
      KEY_ID: keyId,
      REVISION: revision,
    },
  )

const tool = pythonTool('schemathesis', '4.32.5')
const target = await startTarget()
try {
  for (const revision of REVISIONS) {
    console.log(`\nrevision ${revision}, ${seconds} s`)
    if ((await fuzz(target, tool, revision)) !== 0) process.exitCode = 1
  }
} finally {
  await target.stop()
}
