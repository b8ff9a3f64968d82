import { Invalid } from '../../errors.ts'
import { listed } from '../../text.ts'
import { headOf, packedSize, type StoredBytes } from '../bytes/stored-bytes.ts'
import { type ByteSource, entrySource, type SeekableFile, unpackedToDisk } from '../bytes/unpack.ts'
import { isZip, zipNames } from '../bytes/zip.ts'
import type { OpenOptions, ReadingSettings } from '../format.ts'
import { readXml } from '../text/xml.ts'
import { stringsReader } from './rich-text.ts'
import { createSharedStrings, type SharedStrings } from './shared-strings.ts'
import type { SheetParts } from './sheet.ts'
import {
  noFormats,
  type Relation,
  readFormats,
  readRelations,
  readWorkbook,
  type SheetEntry,
} from './workbook-parts.ts'

/** One sheet of a workbook, and the parts to which its cells refer. */
export interface OpenSheet {
  readonly xml: ByteSource
  readonly parts: SheetParts
}

type SheetSettings = Pick<ReadingSettings, 'entry' | 'sheet'>

const COMPOUND = 'd0cf11e0a1b11ae1'
const CONTENT_TYPES = '[Content_Types].xml'
const NO_WORKBOOK = 'The file is not an xlsx workbook.'

/** Whether a zip archive is a workbook. Throws Invalid for one that cannot be read. */
export const isWorkbook = async (file: StoredBytes): Promise<boolean> =>
  (await zipNames(file)).includes(CONTENT_TYPES)

type SheetOptions = Pick<OpenOptions, 'most'>

/** Opens a sheet of an xlsx workbook, plain or inside gzip or zip. Throws NotFound, Invalid. */
export async function openSheet(
  file: StoredBytes,
  settings: SheetSettings,
  options: SheetOptions,
): Promise<OpenSheet> {
  const workbook = await workbookIn(file, settings)
  const strings = await createSharedStrings()
  const close = async () => {
    await strings.close()
    await workbook.close()
  }
  try {
    const { xml, parts } = await sheetOf(workbook.file, strings, { ...settings, ...options })
    return { xml: { ...xml, close }, parts }
  } catch (error) {
    await close()
    throw error
  }
}

/** The workbook file. One that is packed again is unpacked to a temporary file. */
async function workbookIn(file: StoredBytes, { entry }: SheetSettings): Promise<SeekableFile> {
  const head = await headOf(file, 8)
  if (isZip(head) && (await isWorkbook(file))) return { file, close: async () => undefined }
  refuseOther(head)
  const inner = await unpackedToDisk(file, entry, refuseOther)
  if (isZip(await headOf(inner.file, 4))) return inner
  await inner.close()
  throw new Invalid(NO_WORKBOOK)
}

function refuseOther(head: Buffer): void {
  if (head.toString('hex', 0, 8) === COMPOUND) {
    throw new Invalid(
      'The workbook is an .xls file or has a password. Save it as .xlsx without a password.',
    )
  }
}

async function sheetOf(
  file: StoredBytes,
  strings: SharedStrings,
  { sheet, most = Number.POSITIVE_INFINITY }: SheetSettings & SheetOptions,
): Promise<OpenSheet> {
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
  if (!names.has(target))
    throw new Invalid('The workbook is damaged: a sheet that it lists is missing.')
  const styles = relations.find(({ kind }) => kind === 'styles')?.target
  const shared = relations.find(({ kind }) => kind === 'sharedStrings')?.target
  if (shared !== undefined && names.has(shared)) {
    for await (const texts of readXml(await part(shared), stringsReader)) {
      strings.add(texts)
      if (strings.bytes > most) break
    }
  }
  const formatOf =
    styles !== undefined && names.has(styles) ? await readFormats(await part(styles)) : noFormats
  return {
    xml: await entrySource(file, target),
    parts: { formatOf, is1904, stringAt: strings.at, packedBytes: packedSize(file) },
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
  const names = listed(sheets.map(({ name }) => name))
  throw new Invalid(`sheet: the workbook has no sheet ${wanted}; it has ${names}`)
}
