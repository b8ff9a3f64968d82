import { builtIns as exports } from '../exports/built-in.ts'
import type { Problem } from '../extensions/contract.ts'
import type { StoredValues } from '../extensions/installation.ts'
import { checkedColumns } from '../formats/rows/mapping.ts'
import { fileValueProblems } from '../imports/field-problems.ts'
import { FILE_EXTENSION } from '../imports/start.ts'
import type { Context } from '../operation.ts'
import type { ExtensionInstallRequest } from './schemas.ts'
import { type Trial, trialOf } from './trial-values.ts'

type InstalledValues = Pick<ExtensionInstallRequest, 'additionalData' | 'mappings'>

/**
 * Problems of mappings, and of values of built-in extensions, that every run would refuse. Remote
 * systems are only asked by Validate Extension.
 */
export async function valueProblems(
  ctx: Context,
  { additionalData, mappings }: InstalledValues,
  { extension, installed }: Pick<Trial, 'extension' | 'installed'>,
): Promise<Problem[]> {
  if (extension.manifest.kind === 'import') {
    const { problems } = checkedColumns(mappings ?? [])
    if (extension.manifest.id !== FILE_EXTENSION) return problems
    const values = inClear(additionalData, installed?.values ?? {})
    return [...problems, ...(await fileValueProblems(ctx, values, Object.keys(additionalData)))]
  }
  const own = exports.find((one) => one === extension)
  if (!own?.validate || (installed && Object.keys(additionalData).length === 0)) return []
  const trial = await trialOf(ctx, { extension: own, given: additionalData, installed })
  const { problems } = await own.validate({ ctx, installed: trial, request: { mappings: [] } })
  // Problems of stored values are reported by runs, not by a change of something else.
  const isNamed = ({ field }: Problem) => Object.hasOwn(additionalData, field.split('.')[1]!)
  return installed ? problems.filter(isNamed) : [...problems]
}

/** The given values on top of the stored ones that are not sealed. */
function inClear(
  given: InstalledValues['additionalData'],
  stored: StoredValues,
): Record<string, string> {
  const kept = Object.entries(stored).flatMap(([name, { text, sealed }]) =>
    sealed ? [] : [[name, text] as const],
  )
  const all = Object.entries({ ...Object.fromEntries(kept), ...given })
  return Object.fromEntries(all.flatMap(([name, text]) => (text === null ? [] : [[name, text]])))
}
