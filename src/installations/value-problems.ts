import { builtIns as exports } from '../exports/built-in.ts'
import type { Problem } from '../extensions/contract.ts'
import { checkedColumns } from '../imports/rows/mapping.ts'
import type { Context } from '../operation.ts'
import type { ExtensionInstallRequest } from './schemas.ts'
import { type Trial, trialOf } from './trial-values.ts'

type Given = Pick<ExtensionInstallRequest, 'additionalData' | 'mappings'>

/**
 * Mappings and values of our own exports that every run would refuse. Nothing outside is asked:
 * what a remote extension or a file says of them, Validate Extension tells.
 */
export async function valueProblems(
  ctx: Context,
  { additionalData, mappings }: Given,
  { extension, installed }: Pick<Trial, 'extension' | 'installed'>,
): Promise<Problem[]> {
  if (extension.manifest.kind === 'import') return checkedColumns(mappings ?? []).problems
  const own = exports.find((one) => one === extension)
  if (!own?.validate || (installed && Object.keys(additionalData).length === 0)) return []
  const values = { extension: own, given: additionalData, ...(installed ? { installed } : {}) }
  const trial = await trialOf(ctx, values)
  const { problems } = await own.validate({ ctx, installed: trial, request: { mappings: [] } })
  return [...problems]
}
