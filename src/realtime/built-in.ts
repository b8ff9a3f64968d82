import type { ExtensionOf } from '../extensions/contract.ts'

/** Stock and price come from vendors, who are remote: none is built in. */
export const builtIns: readonly ExtensionOf<'realtime'>[] = []
