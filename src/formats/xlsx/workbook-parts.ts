import { Invalid } from '../../errors.ts'
import { parseUrl } from '../../platform/parse-url.ts'
import { detachedText } from '../../text.ts'
import { type Attributes, readXml, sizeOf, type XmlReader } from '../text/xml.ts'
import { NUMBER, type NumberFormat, numberFormat } from './number-format.ts'

/** An element without its content, and with the attributes that are used. */
interface PartElement {
  readonly name: string
  readonly attributes: Attributes
  /** The name of its parent. */
  readonly parent: string
}

/**
 * Maximum number of elements in a part, which is small in every real workbook, and size of the
 * attributes that are used.
 */
const ELEMENTS = 200_000
const SIZE = 16 * 1024 * 1024
/**
 * Maximum number of relations to other parts of the archive, which has limits.zipEntries at most.
 */
const RELATIONS = 10_000
/** Maximum length of a number format, as in spreadsheet programs. */
const FORMAT_LENGTH = 255

/** The attributes that are used of each element. The prefix of `:id` may be any. */
const USED: Readonly<Record<string, readonly string[]>> = {
  workbookPr: ['date1904'],
  sheet: ['name', 'state', ':id'],
  Relationship: ['Id', 'Type', 'Target', 'TargetMode'],
  numFmt: ['numFmtId', 'formatCode'],
  xf: ['numFmtId'],
}

/** The names that are used, so that an element does not keep the file that names it in memory. */
const NAMES = new Map(
  [...Object.keys(USED), 'sheets', 'numFmts', 'cellXfs'].map((name) => [name, name]),
)

/** The attributes that are used, as copies for the same reason. */
function usedOf(name: string, attributes: Attributes): Attributes {
  const used = USED[name] ?? []
  const isUsed = (key: string) =>
    used.some((one) => key === one || (one.startsWith(':') && key.endsWith(one)))
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([key]) => isUsed(key))
      .map(([key, value]) => [detachedText(key), detachedText(value)]),
  )
}

const elementsReader: XmlReader<PartElement> = (emit) => {
  const path: string[] = []
  return {
    open(given, all) {
      const name = NAMES.get(given) ?? ''
      emit({ name, attributes: usedOf(name, all), parent: path.at(-1) ?? '' })
      path.push(name)
    },
    text: () => undefined,
    close: () => path.pop(),
  }
}

async function elementsOf(chunks: AsyncIterable<Buffer>, most = ELEMENTS): Promise<PartElement[]> {
  const all: PartElement[] = []
  let size = 0
  for await (const some of readXml(chunks, elementsReader)) {
    for (const element of some) {
      all.push(element)
      size += sizeOf(element.attributes)
    }
    if (all.length > most || size > SIZE) {
      throw new Invalid('The workbook has too many sheets or styles.')
    }
  }
  return all
}

/** An attribute by its local name. */
const attribute = (attributes: Attributes, local: string): string | undefined =>
  Object.entries(attributes).find(([name]) => name.endsWith(`:${local}`))?.[1]

/** An entry in the workbook's list of sheets. */
export type SheetEntry = Awaited<ReturnType<typeof readWorkbook>>['sheets'][number]

/** The sheets of workbook.xml, and its date origin. */
export async function readWorkbook(chunks: AsyncIterable<Buffer>) {
  const elements = await elementsOf(chunks)
  const said = elements.find(({ name }) => name === 'workbookPr')?.attributes.date1904
  return {
    is1904: said === '1' || said === 'true',
    sheets: elements
      .filter(({ name, parent }) => name === 'sheet' && parent === 'sheets')
      .map(({ attributes }) => ({
        name: attributes.name ?? '',
        /** Its id among the relations of the workbook. */
        relation: attribute(attributes, 'id') ?? '',
        isHidden: (attributes.state ?? 'visible') !== 'visible',
      })),
  }
}

export type Relation = Awaited<ReturnType<typeof readRelations>>[number]

/** The relations of a part in `folder`. */
export async function readRelations(chunks: AsyncIterable<Buffer>, folder: string) {
  const elements = await elementsOf(chunks, RELATIONS)
  return elements
    .filter(
      ({ name, attributes }) => name === 'Relationship' && attributes.TargetMode !== 'External',
    )
    .map(({ attributes: { Id = '', Type = '', Target = '' } }) => ({
      id: Id,
      /** The last part of its type: worksheet, styles, sharedStrings … */
      kind: Type.slice(Type.lastIndexOf('/') + 1),
      /** Its name inside the archive. */
      target: resolved(Target, folder),
    }))
}

/** Resolves a target relative to a folder of the archive. */
function resolved(target: string, folder: string): string {
  const from = folder === '' ? '/' : `/${folder}/`
  const path = parseUrl(target.replace(/^\/+/, '/'), `http://archive${from}`)?.pathname ?? ''
  try {
    return decodeURIComponent(path).replace(/^\/+/, '')
  } catch {
    return ''
  }
}

/** The number format of each cell style. */
export type NumberFormats = (style: number) => NumberFormat

export const noFormats: NumberFormats = () => NUMBER

/** Number formats are parsed on demand and once, since few of many are used. */
export async function readFormats(chunks: AsyncIterable<Buffer>): Promise<NumberFormats> {
  const elements = await elementsOf(chunks)
  const codes = new Map<string | undefined, string | undefined>()
  const styles: (string | undefined)[] = []
  for (const { name, parent, attributes } of elements) {
    const { numFmtId, formatCode } = attributes
    if (name === 'numFmt' && parent === 'numFmts') {
      codes.set(numFmtId, formatCode?.slice(0, FORMAT_LENGTH))
    } else if (name === 'xf' && parent === 'cellXfs') styles.push(numFmtId)
  }
  const known = new Map<string | undefined, NumberFormat>()
  return (style) => {
    if (!(style in styles)) return NUMBER
    const id = styles[style]
    const format = known.get(id) ?? numberFormat(Number(id ?? 0), codes.get(id))
    known.set(id, format)
    return format
  }
}
