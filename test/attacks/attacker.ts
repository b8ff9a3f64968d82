/**
 * A process of its own that prepares one attack, says `ready`, and strikes when it is told to;
 * then it says what came of it.
 */
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Attack } from './attack.ts'
import { targetAt } from './target.ts'

const ATTACK_MS = 20_000

const [file, address] = process.argv.slice(2) as [string, string]
const { attack } = (await import(join(import.meta.dirname, file))) as { attack: Attack }
const strike = await attack.prepare(targetAt(address))

// An attacker comes from elsewhere: it may not take the service's processors away.
setPriority(0, constants.priority.PRIORITY_LOW)

process.on('message', async () => {
  const outcome = await strike(AbortSignal.timeout(ATTACK_MS)).catch(
    (error: unknown) => `the attack itself failed: ${error}`,
  )
  process.send!(outcome)
})
process.on('disconnect', () => process.exit(0))
process.send!('ready')
