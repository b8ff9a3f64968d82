import { Failure, Invalid } from '../errors.ts'
import type { Sample, Validation } from '../extensions/contract.ts'
import { checkGiven, checkNames } from '../extensions/field-values.ts'
import { noSettings } from '../extensions/installation.ts'
import type { ExtensionOptionsResponse } from '../extensions/schemas.ts'
import type { Context } from '../operation.ts'
import { availableExtension } from './available-extensions.ts'
import { changedSettings } from './changed-settings.ts'
import { requestProblems } from './request-problems.ts'
import type { ExtensionInstallRequest } from './schemas.ts'
import { trialOf } from './trial-values.ts'

/** Problems of installing with these values. An import also has a preview of its first rows. */
export async function validate(
  ctx: Context,
  id: string,
  body: ExtensionInstallRequest,
): Promise<Validation> {
  const extension = await availableExtension(ctx, id)
  const problems = await requestProblems(ctx, body, { extension })
  if (problems.length > 0 || !extension.validate) return { problems }
  try {
    const { catalog = null, additionalData: given } = body
    const { vendor, vendors = 'one' } = changedSettings(noSettings, body)
    const installed = await trialOf(ctx, { extension, given, vendor, vendors, catalog })
    const request = { mappings: body.mappings ?? [] }
    return await extension.validate({ ctx, installed, request })
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'unavailable') throw error
    return { problems: [{ field: '', message: error.message }] }
  }
}

/** Reads a sample of what an import would read. Throws NotFound, Invalid. */
export async function sample(
  ctx: Context,
  id: string,
  given: { additionalFields: Readonly<Record<string, string | null>> } & Readonly<
    Record<string, unknown>
  >,
): Promise<Sample> {
  const extension = await availableExtension(ctx, id)
  if (extension.manifest.kind !== 'import' || !('sample' in extension) || !extension.sample) {
    throw new Invalid('The extension does not provide a sample.')
  }
  const { additionalFields, ...file } = given
  const { manifest, registered } = extension
  if (registered === undefined) checkNames(manifest, 'additionalFields', additionalFields)
  checkGiven(manifest, 'additionalFields', additionalFields)
  const said = Object.entries(file).filter(([, value]) => value !== null && value !== undefined)
  const request = { ...additionalFields, ...Object.fromEntries(said) }
  return extension.sample({
    ctx,
    installed: await trialOf(ctx, { extension, given: additionalFields }),
    request,
  })
}

/** Values that a field may have when the extension is installed. Throws NotFound, Invalid. */
export async function installOptions(
  ctx: Context,
  id: string,
  { field, search }: { field: string; search: string | null },
): Promise<ExtensionOptionsResponse> {
  const extension = await availableExtension(ctx, id)
  const found = extension.manifest.fields.find((one) => one.field === field)
  if (!found?.hasOptions || !extension.options) {
    throw new Invalid(`${field}: not a field of the extension with options`)
  }
  const request = { field, additionalData: {}, search }
  const installed = await trialOf(ctx, { extension, given: {} })
  return extension.options({ ctx, installed, request })
}
