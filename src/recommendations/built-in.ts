import type { ExtensionOf } from '../extensions/contract.ts'
import { bom } from './bom/extension.ts'
import { similar } from './similar/extension.ts'
import { together } from './together/extension.ts'

/** Recommendation extensions that need no registration and are always installed. */
export const builtIns: readonly ExtensionOf<'recommendation'>[] = [bom, similar, together]
