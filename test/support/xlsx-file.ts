import { type ZipPart, zipFile } from './zip-file.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const KINDS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

interface SheetFile {
  readonly name: string
  /** The rows as XML. */
  readonly rows: string
  readonly state?: string
}

export interface WorkbookFile {
  readonly sheets: readonly SheetFile[]
  /** The <si> elements. */
  readonly strings?: string
  /** Number formats of the styles 0, 1, 2 …: an id, or a format code. */
  readonly formats?: readonly (number | string)[]
  readonly is1904?: boolean
}

const part = (name: string, content: string): ZipPart => ({ name, content: Buffer.from(content) })

const relation = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="${KINDS}/${kind}" Target="${target}"/>`

const relations = (all: readonly string[]): string =>
  `${XML}<Relationships xmlns="${RELATIONS}">${all.join('')}</Relationships>`

function styles(formats: readonly (number | string)[]): string {
  const codes = formats.flatMap((format, at) =>
    typeof format === 'string' ? [`<numFmt numFmtId="${164 + at}" formatCode="${format}"/>`] : [],
  )
  const xfs = formats.map(
    (format, at) => `<xf numFmtId="${typeof format === 'number' ? format : 164 + at}"/>`,
  )
  return `${XML}<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${xfs.join('')}</cellXfs></styleSheet>`
}

/** The parts of a workbook as spreadsheet programs write them, for tests to change. */
export function workbookParts({
  sheets,
  strings = '',
  formats = [0],
  is1904 = false,
}: WorkbookFile): ZipPart[] {
  const listed = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}"${state ? ` state="${state}"` : ''} r:id="rId${at + 1}"/>`,
  )
  return [
    part('[Content_Types].xml', `${XML}<Types/>`),
    part('_rels/.rels', relations([relation('rId1', 'officeDocument', 'xl/workbook.xml')])),
    part(
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${KINDS}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${listed.join('')}</sheets></workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      relations([
        ...sheets.map((_, at) =>
          relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`),
        ),
        relation('rIdS', 'styles', 'styles.xml'),
        relation('rIdT', 'sharedStrings', '/xl/sharedStrings.xml'),
      ]),
    ),
    part('xl/styles.xml', styles(formats)),
    part('xl/sharedStrings.xml', `${XML}<sst xmlns="${MAIN}">${strings}</sst>`),
    ...sheets.map(({ rows }, at) =>
      part(
        `xl/worksheets/sheet${at + 1}.xml`,
        `${XML}<worksheet xmlns="${MAIN}"><dimension ref="A1"/><sheetData>${rows}</sheetData></worksheet>`,
      ),
    ),
  ]
}

export const xlsxFile = (workbook: WorkbookFile): Buffer => zipFile(workbookParts(workbook))

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Rows of texts and numbers, as a simple program writes them. */
export function sheetRows(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number): string =>
    typeof value === 'number'
      ? `<c><v>${value}</v></c>`
      : `<c t="inlineStr"><is><t>${escaped(value)}</t></is></c>`
  return rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('')
}
