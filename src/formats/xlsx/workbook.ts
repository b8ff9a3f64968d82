import { Invalid } from '../../errors.ts'
import { Interrupted } from '../../tasks/patience.ts'
import { openScratch } from '../bytes/scratch.ts'
import { headOf, type Stored } from '../bytes/stored.ts'
import { entrySource, type Source, unpacked } from '../bytes/unpack.ts'
import { isZip, zipNames } from '../bytes/zip.ts'
import { readXml } from '../text/xml.ts'
import {
  type Relation,
  readFormats,
  readRelations,
  readWorkbook,
  type SheetEntry,
} from './parts.ts'
import { createStringsReader } from './rich-text.ts'
import { createSharedStrings } from './shared-strings.ts'
import type { SheetParts } from './sheet.ts'

/** One sheet of a workbook: its XML, and what the cells refer to. */
export interface OpenSheet extends SheetParts {
  readonly source: Source
  close(): Promise<void>
}

export interface SheetWanted {
  /** The workbook's name where the file is an archive around it. */
  readonly entry: string | null
  /** Null: the first visible one. */
  readonly sheet: string | null
  /** Characters of shared texts that are looked at; all when absent. */
  readonly most?: number
  readonly isCancelled: () => boolean
}

const COMPOUND = 'd0cf11e0a1b11ae1'
const CONTENT_TYPES = '[Content_Types].xml'
const LISTED = 10
const NO_WORKBOOK = 'The file is no xlsx workbook.'

/** Opens a sheet of an xlsx workbook, plain or inside gzip or zip. Throws NotFound, Invalid. */
export async function openSheet(file: Stored, wanted: SheetWanted): Promise<OpenSheet> {
  const closing: (() => Promise<void>)[] = []
  const close = async () => {
    for (const one of closing.splice(0)) await one()
  }
  try {
    const workbook = await workbookIn(file, wanted, closing)
    return { ...(await sheetOf(workbook, wanted, closing)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The workbook itself; one that is packed once more is unpacked to a temporary file. */
async function workbookIn(
  file: Stored,
  { entry, isCancelled }: SheetWanted,
  closing: (() => Promise<void>)[],
): Promise<Stored> {
  const head = await headOf(file, 8)
  if (isZip(head) && (await zipNames(file)).includes(CONTENT_TYPES)) return file
  refuseOther(head)
  const inner = await unpacked(file, entry)
  const scratch = await openScratch()
  closing.push(scratch.close)
  for await (const chunk of inner.open()) {
    if (isCancelled()) throw new Interrupted()
    if (scratch.bytes === 0) refuseOther(chunk)
    scratch.append(chunk)
  }
  if (!isZip(await headOf(scratch, 4))) throw new Invalid(NO_WORKBOOK)
  return scratch
}

function refuseOther(head: Buffer): void {
  if (head.toString('hex', 0, 8) === COMPOUND) {
    throw new Invalid(
      'The workbook is an old .xls or has a password; save it as .xlsx without one.',
    )
  }
}

async function sheetOf(
  file: Stored,
  { sheet, most = Number.POSITIVE_INFINITY, isCancelled }: SheetWanted,
  closing: (() => Promise<void>)[],
): Promise<Omit<OpenSheet, 'close'>> {
  const names = new Set(await zipNames(file))
  const part = async (name: string) => (await entrySource(file, name)).open()
  const relationsOf = async (name: string): Promise<Relation[]> => {
    const at = name.lastIndexOf('/')
    const relations = `${name.slice(0, at + 1)}_rels/${name.slice(at + 1)}.rels`
    if (!names.has(relations)) return []
    return readRelations(await part(relations), name.slice(0, Math.max(0, at)))
  }
  const main = (await relationsOf('')).find(({ kind }) => kind === 'officeDocument')?.target
  const book = main ?? 'xl/workbook.xml'
  if (!names.has(book)) throw new Invalid(NO_WORKBOOK)
  const { sheets, is1904 } = await readWorkbook(await part(book))
  const relations = await relationsOf(book)
  const target = targetOf(sheets, relations, sheet)
  if (!names.has(target)) throw new Invalid('The workbook lacks the sheet that it names.')
  const styles = relations.find(({ kind }) => kind === 'styles')?.target
  const strings = createSharedStrings()
  closing.push(strings.close)
  const shared = relations.find(({ kind }) => kind === 'sharedStrings')?.target
  if (shared !== undefined && names.has(shared)) {
    let length = 0
    for await (const texts of readXml(await part(shared), createStringsReader())) {
      for (const text of texts) {
        await strings.add(text)
        length += text.length
      }
      if (length > most || isCancelled()) break
    }
  }
  return {
    source: await entrySource(file, target),
    formats: styles !== undefined && names.has(styles) ? await readFormats(await part(styles)) : [],
    is1904,
    stringAt: strings.at,
  }
}

function targetOf(
  all: readonly SheetEntry[],
  relations: readonly Relation[],
  wanted: string | null,
): string {
  const byId = new Map(relations.map((relation) => [relation.id, relation]))
  const sheets = all.filter(({ relation }) => byId.get(relation)?.kind === 'worksheet')
  const found =
    wanted === null
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find(({ name }) => name === wanted)
  if (found) return byId.get(found.relation)!.target
  if (wanted === null) throw new Invalid('The workbook has no sheet with cells.')
  const names = sheets.slice(0, LISTED).map(({ name }) => name)
  throw new Invalid(`sheet: the workbook has no ${wanted}, only: ${names.join(', ')}`)
}
