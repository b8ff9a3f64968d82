import { z } from 'zod'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { knownFields, refuseUnknown } from '../platform/known-fields.ts'
import { Flag, ListOf, OptionalText, RequiredText } from '../shapes.ts'
import { withoutEnd } from '../text.ts'
import { EXTENSION_CALLS, EXTENSION_KINDS, type ExtensionKind, type Manifest } from './contract.ts'
import { typeProblem } from './field-values.ts'
import { FieldDeclaration } from './fields.ts'
import { parseAs, parseJson } from './json.ts'
import { Link } from './link.ts'

const text = OptionalText(limits.valueLength)
const flag = Flag(false)

const base = Link.refine((url) => !/[?#]/.test(url ?? ''), 'must not contain ? or #')

/** The document at the address of a manifest. */
const ManifestDocument = z.object({
  id: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9._-]{0,63}$/,
      'must have 1 to 64 of the characters a-z, 0-9, ., _ and -, and not begin with a dot',
    ),
  kind: z.enum(EXTENSION_KINDS, `must be one of ${EXTENSION_KINDS.join(', ')}`),
  name: RequiredText(limits.nameLength),
  description: text,
  image: Link,
  configUrl: Link,
  fields: ListOf(FieldDeclaration, limits.extensionFields),
  calls: z.array(z.enum(EXTENSION_CALLS, `must be one of ${EXTENSION_CALLS.join(', ')}`)).min(1),
  noStore: flag,
  mapToVendor: flag,
  allowAdHocItems: flag,
  url: base,
})

const KNOWN = knownFields(ManifestDocument)

/** Calls that only extensions of one kind have. */
const KIND_OF: Readonly<Record<string, ExtensionKind>> = {
  sample: 'import',
  links: 'export',
  possibleMatches: 'export',
}

export interface ReadManifest {
  readonly manifest: Manifest
  /** The base address of its calls, without a slash at the end. */
  readonly url: string
}

/** Parses the manifest at `address`. Throws Invalid with the place of the problem. */
export function readManifest(bytes: Uint8Array, address: string): ReadManifest {
  const document = parseJson(bytes, 'manifest')
  refuseUnknown(KNOWN, document, 'manifest')
  const { url, ...manifest } = parseAs(ManifestDocument, document, 'manifest')
  checkFields(manifest)
  for (const [at, call] of manifest.calls.entries()) {
    const kind = KIND_OF[call]
    if (kind === undefined || kind === manifest.kind) continue
    throw new Invalid(`manifest.calls[${at}]: ${call} is only for extensions of kind ${kind}`)
  }
  if (!manifest.calls.includes('run')) throw new Invalid('manifest.calls: must contain run')
  return { manifest, url: withoutEnd(url ?? new URL('.', address).href, '/') }
}

function checkFields({ fields, calls }: Pick<Manifest, 'fields' | 'calls'>): void {
  const names = new Set<string>()
  for (const [at, declared] of fields.entries()) {
    const { field, hasOptions, defaultValue } = declared
    const place = `manifest.fields[${at}]`
    if (names.has(field)) throw new Invalid(`${place}.field: ${field} is listed twice`)
    if (field === '__proto__') throw new Invalid(`${place}.field: not allowed as a name`)
    if (hasOptions && !calls.includes('options')) {
      throw new Invalid(`${place}.hasOptions: calls does not contain options`)
    }
    const wrong = defaultValue === null ? undefined : typeProblem(declared, defaultValue)
    if (wrong) throw new Invalid(`${place}.defaultValue: ${wrong}`)
    names.add(field)
  }
}
