import { fold } from '../text.ts'
import { KNOWN_MANUFACTURERS } from './known-manufacturers.ts'

/** Which spellings mean one manufacturer. */
export interface ManufacturerNames {
  /** The same for all spellings of a manufacturer; empty for a text without letters and digits. */
  form(name: string): string
  /** What the organization's table calls it; undefined where that has no word on it. */
  chosen(name: string): string | undefined
  /** What manufacturers are usually called; undefined for one that is not known here. */
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

type Table = readonly (readonly string[])[]

/** `HP = Hewlett-Packard | HP Inc.; Dell = Dell EMC`, or a line for each. What has no `=` is left out. */
export function readAliases(text: string): string[][] {
  return text.split(/[;\r\n]+/).flatMap((entry) => {
    const at = entry.indexOf('=')
    const name = entry.slice(0, Math.max(at, 0)).trim()
    if (bareForm(name) === '') return []
    const others = entry.slice(at + 1).split('|')
    return [[name, ...others.map((other) => other.trim()).filter((other) => other !== '')]]
  })
}

interface Groups {
  readonly groupOf: ReadonlyMap<string, string>
  readonly names: ReadonlyMap<string, string>
}

/** Of two groups that claim a spelling the first has it; a group's own name is always its own. */
function groupsOf(table: Table): Groups {
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

/** Names by an organization's own table, which goes before that of well-known manufacturers. */
export function createManufacturerNames(own: Table = []): ManufacturerNames {
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
