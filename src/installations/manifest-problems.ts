import type { Manifest, Problem } from '../extensions/contract.ts'
import { typeProblem, unknownFieldText } from '../extensions/field-values.ts'
import type { FieldDefinition } from '../extensions/fields.ts'
import type { ExtensionInstallRequest } from './schemas.ts'

/** Problems of a request's values according to the extension's manifest. */
export function manifestProblems(
  manifest: Manifest,
  { additionalData }: Pick<ExtensionInstallRequest, 'additionalData'>,
  isKept: (field: FieldDefinition) => boolean = () => false,
): Problem[] {
  const fields = new Map(manifest.fields.map((field) => [field.field, field]))
  const problems: Problem[] = []
  const problem = (field: string, message: string) =>
    problems.push({ field: `additionalData.${field}`, message })
  for (const [name, text] of Object.entries(additionalData)) {
    const field = fields.get(name)
    if (!field) problem(name, unknown(manifest))
    else if (field.adHocOnlyField) problem(name, 'cannot be stored; send it with each run')
    else if (text !== null) {
      const wrong = typeProblem(field, text)
      if (wrong) problem(name, wrong)
    }
  }
  for (const field of fields.values()) {
    if (field.optional || field.adHocOnlyField || field.defaultValue !== null) continue
    const given = Object.hasOwn(additionalData, field.field)
    const lacks = given ? additionalData[field.field] === null : !isKept(field)
    if (lacks) problem(field.field, 'required')
  }
  return problems
}

const unknown = ({ fields }: Manifest): string =>
  unknownFieldText(fields.filter(({ adHocOnlyField }) => !adHocOnlyField))
