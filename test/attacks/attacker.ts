/**
 * A separate process that prepares one attack, says `ready`, attacks when its parent tells it to,
 * and then reports the result.
 */
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Attack } from './attack.ts'
import { targetAt } from './target.ts'

const ATTACK_MS = 20_000

const [file, address] = process.argv.slice(2) as [string, string]
const { attack } = (await import(join(import.meta.dirname, file))) as { attack: Attack }
const strike = await attack.prepare(targetAt(address))

// A real attacker uses other machines, so this one must not take the service's processors.
setPriority(0, constants.priority.PRIORITY_LOW)

process.on('message', async () => {
  const outcome = await strike(AbortSignal.timeout(ATTACK_MS)).catch(
    (error: unknown) => `the attack itself failed: ${error}`,
  )
  process.send!(outcome)
})
process.on('disconnect', () => process.exit(0))
process.send!('ready')
