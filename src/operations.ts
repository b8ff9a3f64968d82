import { catalogOperations } from './catalogs/operations.ts'
import type { Operation } from './operation.ts'
import { statusOperations } from './status/operations.ts'

/** The table: every operation of the service, one import a feature. */
export const operations: readonly Operation[] = [...catalogOperations, ...statusOperations]
