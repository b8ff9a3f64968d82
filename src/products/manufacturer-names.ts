import { fold, wordSet } from '../text.ts'
import { KNOWN_MANUFACTURERS } from './known-manufacturers.ts'

/** Maps the spellings of manufacturers to common forms and names. */
export interface ManufacturerNames {
  /** The form that all spellings share; empty for a text without letters and digits. */
  form(name: string): string
  /** The name with this form in the organization's table; undefined if it is not listed. */
  chosen(form: string): string | undefined
  /** The usual name of the well-known manufacturer with this form; undefined for others. */
  usual(form: string): string | undefined
}

const LEGAL_FORMS = wordSet(' ', [
  'ab ag aps as asa bv co company corp corporation gmbh inc incorporated kg kgaa kk limited llc llp lp ltd nv oy oyj plc pty pvt sa sarl sas se spa srl',
])
const JOINING = new Set(['and', 'et', 'und', 'y'])

/** Letters and digits only, without legal forms at the end: `HP, Inc.` is `hp`. */
export function bareForm(name: string): string {
  const words = fold(name)
    .replace(/[.'’/]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  let end = words.length
  while (end > 1 && LEGAL_FORMS.has(words[end - 1]!)) {
    end--
    if (end > 1 && JOINING.has(words[end - 1]!)) end--
  }
  return words.slice(0, end).join('')
}

/** A manufacturer, with the bare forms of its name and of its other spellings. */
interface ManufacturerAliases {
  readonly name: string
  readonly form: string
  readonly others: readonly string[]
}

const aliasesOf = ([name, ...others]: readonly string[]): ManufacturerAliases => ({
  ...{ name: name!, form: bareForm(name!) },
  others: others.map(bareForm).filter((form) => form !== ''),
})

/** Parses `HP = Hewlett-Packard | HP Inc.; Dell = Dell EMC`, or one group per line. */
export function readAliases(text: string): ManufacturerAliases[] {
  return text.split(/[;\r\n]+/).flatMap((entry) => {
    const at = entry.indexOf('=')
    const name = entry.slice(0, Math.max(at, 0)).trim()
    const aliases = aliasesOf([name, ...entry.slice(at + 1).split('|')])
    return aliases.form === '' ? [] : [aliases]
  })
}

/** If two groups have a spelling, the first one gets it, unless it is the name of a group. */
function groupsOf(table: readonly ManufacturerAliases[]) {
  const groupOf = new Map<string, string>()
  const names = new Map<string, string>()
  for (const { name, form } of table) {
    if (names.has(form)) continue
    names.set(form, name)
    groupOf.set(form, form)
  }
  for (const { form, others } of table) {
    for (const other of others) if (!groupOf.has(other)) groupOf.set(other, form)
  }
  return { groupOf, names }
}

const KNOWN = groupsOf(KNOWN_MANUFACTURERS.map(aliasesOf))

/** Looks names up in the organization's table, then among well-known manufacturers. */
export function createManufacturerNames(
  own: readonly ManufacturerAliases[] = [],
): ManufacturerNames {
  const { groupOf, names } = groupsOf(own)
  const knownForm = (name: string): string => {
    const bare = bareForm(name)
    return groupOf.get(bare) ?? KNOWN.groupOf.get(bare) ?? bare
  }
  const form = (name: string): string => {
    const known = knownForm(name)
    return groupOf.get(known) ?? known
  }
  return {
    form,
    chosen: (key) => names.get(key),
    usual: (key) => KNOWN.names.get(key),
  }
}
