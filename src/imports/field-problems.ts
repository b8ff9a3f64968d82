import type { Problem } from '../extensions/contract.ts'
import { problemsOf } from '../extensions/value-problem.ts'
import { formatOf } from '../formats/registry.ts'
import type { Context } from '../operation.ts'
import { namedFormat, requestFrom, signsOf } from './request.ts'
import { fileOf } from './start.ts'

/** Values that are only valid in combination. */
const TOGETHER = ['fileType', 'delimiter', 'quoteChar']

/**
 * Problems with the `named` values of an installed file import that every run would refuse. The
 * content of the file is checked by a dry run only.
 */
export async function fileValueProblems(
  ctx: Context,
  values: Readonly<Record<string, string>>,
  named: readonly string[],
): Promise<Problem[]> {
  const isNamed = (...fields: string[]) => fields.some((field) => named.includes(field))
  const beside = isNamed(...TOGETHER) ? TOGETHER : []
  const looked = Object.entries(values).filter(
    ([field]) => isNamed(field) || beside.includes(field),
  )
  const given = Object.fromEntries(looked)
  const shape = await problemsOf(() => requestFrom(given))
  if (shape.length > 0) return shape
  const { fileType, delimiter, quoteChar, fileUrl } = requestFrom(given)
  const found = await Promise.all([
    isNamed('fileType') && fileType !== null ? problemsOf(() => namedFormat(fileType)) : [],
    isNamed(...TOGETHER)
      ? problemsOf(() => signsOf({ delimiter, quoteChar }, formatOf(fileType ?? '')))
      : [],
    isNamed('fileUrl') && fileUrl !== null
      ? problemsOf(() => fileOf(ctx, { fileUrl, username: null, password: null }))
      : [],
  ])
  return found.flat()
}
