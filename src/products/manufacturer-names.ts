import { fold } from '../text.ts'
import { KNOWN_MANUFACTURERS } from './known-manufacturers.ts'

/** Maps the spellings of manufacturers to common forms and names. */
export interface ManufacturerNames {
  /** The form that all spellings share; empty for a text without letters and digits. */
  form(name: string): string
  /** The name in the organization's table; undefined if it is not listed. */
  chosen(name: string): string | undefined
  /** The usual name of a well-known manufacturer; undefined for others. */
  usual(name: string): string | undefined
}

const LEGAL_FORMS = new Set(
  'ab ag aps as asa bv co company corp corporation gmbh inc incorporated kg kgaa kk limited llc llp lp ltd nv oy oyj plc pty pvt sa sarl sas se spa srl'.split(
    ' ',
  ),
)
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

type SpellingTable = readonly (readonly string[])[]

/** Parses `HP = Hewlett-Packard | HP Inc.; Dell = Dell EMC`, or one group per line. */
export function readAliases(text: string): string[][] {
  return text.split(/[;\r\n]+/).flatMap((entry) => {
    const at = entry.indexOf('=')
    const name = entry.slice(0, Math.max(at, 0)).trim()
    if (bareForm(name) === '') return []
    const others = entry.slice(at + 1).split('|')
    return [[name, ...others.map((other) => other.trim()).filter((other) => other !== '')]]
  })
}

/** If two groups have a spelling, the first one gets it, unless it is the name of a group. */
function groupsOf(table: SpellingTable) {
  const groupOf = new Map<string, string>()
  const names = new Map<string, string>()
  for (const [name] of table) {
    const form = bareForm(name!)
    if (names.has(form)) continue
    names.set(form, name!)
    groupOf.set(form, form)
  }
  for (const [name, ...others] of table) {
    for (const form of others.map(bareForm)) {
      if (form !== '' && !groupOf.has(form)) groupOf.set(form, bareForm(name!))
    }
  }
  return { groupOf, names }
}

const KNOWN = groupsOf(KNOWN_MANUFACTURERS)

/** Looks names up in the organization's table, then among well-known manufacturers. */
export function createManufacturerNames(own: SpellingTable = []): ManufacturerNames {
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
    chosen: (name) => names.get(form(name)),
    usual: (name) => KNOWN.names.get(form(name)),
  }
}
