import { readdirSync } from 'node:fs'
import { type Binding, type Operation, REVISIONS } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import type { Contract, Contracts } from './contract.ts'

const folder = `${import.meta.dirname}/features`
const features = readdirSync(folder).map((name) => name.replace('.ts', ''))

/** Every contract in test/contract/features/, with its feature. */
const written = new Map<string, { feature: string; contract: Contracts[string] }>()
for (const feature of features) {
  const { contracts } = (await import(`./features/${feature}.ts`)) as { contracts: Contracts }
  for (const [name, contract] of Object.entries(contracts)) {
    if (written.has(name)) throw new Error(`${name} has two contracts`)
    written.set(name, { feature, contract })
  }
}

/** Contracts of operations that the operation table lacks. */
export const strayContracts = [...written.keys()].filter(
  (name) => !operations.some((operation) => operation.name === name),
)

/** One operation in one revision, with its contract. */
export interface Case {
  readonly operation: Operation
  readonly revision: (typeof REVISIONS)[number] | 'any'
  readonly binding: Binding<never, never>
  /** Such as `Search 6.0`. */
  readonly title: string
  readonly feature: string | undefined
  readonly contract: Contract | undefined
}

/** One case for each row of the operation table. */
export const cases: readonly Case[] = operations.flatMap((operation) =>
  ([...REVISIONS, 'any'] as const).flatMap((revision) => {
    const binding = operation.bindings[revision]
    if (!binding) return []
    const found = written.get(operation.name)
    const contract = found && contractOf(found.contract, revision)
    const title = `${operation.name} ${revision}`
    return [{ operation, revision, binding, title, feature: found?.feature, contract }]
  }),
)

function contractOf(contract: Contracts[string], revision: Case['revision']) {
  return 'ok' in contract ? (contract as Contract) : contract[revision]
}
