import { HEADING_LENGTH, type KnownHeadings, namedCells } from '../../formats/rows/heading-row.ts'
import { fold, keyedWords, replaceBracketed } from '../../text.ts'
import { quantityIn } from './quantity.ts'

/** The content of a column; `other` has nothing by which to find a product. */
export type ColumnRole =
  | 'partNumber'
  | 'vendorPartNumber'
  | 'gtin'
  | 'manufacturer'
  | 'description'
  | 'quantity'
  | 'other'

const HEADINGS: Readonly<Record<ColumnRole, string>> = {
  partNumber:
    'partnumber partno part pn mpn mfp mfpn mfrpartnumber mfrpartno mfrpart mfrno mfgpartnumber mfgpartno mfgpart mfgno manufacturerno manufacturerpartnumber manufacturerpartno manufacturerpart manufacturernumber oem oemnumber model modelnumber modelno herstellernummer herstellernr herstellerartikelnummer herstellerartikelnr herstellerteilenummer herstellerteilenr teilenummer teilenr modell modellnummer typ typnummer hstnr',
  vendorPartNumber:
    'sku itemnumber itemno itemcode itemid articlenumber articleno articleid productnumber productno productcode productid stockcode ordernumber ordercode vendorpartnumber vendorpartno vendorsku supplierpartnumber supplierpartno suppliersku catalognumber materialnumber artikelnummer artikelnr artnr artno artikelcode bestellnummer bestellnr bestnr lieferantennummer lieferantenartikelnummer lieferantenartikelnr materialnummer materialnr matnr sachnummer produktnummer produktnr identnummer identnr',
  gtin: 'ean eannumber eancode eannummer ean13 eanupc upcean gtin gtin13 gtin14 upc upca upccode barcode strichcode eannr',
  manufacturer:
    'manufacturer manufacturername mfr mfrname mfg mfgname brand brandname make maker vendor hersteller herstellername marke markenname fabrikat produzent',
  description:
    'description desc productdescription itemdescription longdescription shortdescription product productname name item itemname title details text article bezeichnung artikelbezeichnung produktbezeichnung beschreibung artikelbeschreibung produktbeschreibung produkt produktname artikel artikelname kurztext langtext benennung',
  quantity:
    'qty quantity quantities count amount pcs pieces units orderqty orderquantity qtyordered qtyrequired requiredqty menge mengen anzahl stuck stueck stk stuckzahl stueckzahl bestellmenge bedarf mengestk mengestuck',
  other:
    'price unitprice listprice netprice totalprice total cost msrp currency preis einzelpreis listenpreis nettopreis gesamtpreis gesamt summe wahrung waehrung pos position posnr line lineno linenumber row zeile nr no lfdnr lfd unit uom einheit me mengeneinheit date datum deliverydate lieferdatum liefertermin note notes comment remark bemerkung notiz kommentar status discount rabatt',
}

const ROLES = new Map(keyedWords(' ', HEADINGS))

/** The role of an English or German heading, in any spelling. */
export const roleOf = (heading: string): ColumnRole | undefined =>
  heading.length > HEADING_LENGTH
    ? undefined
    : ROLES.get(
        replaceBracketed(fold(heading), ['(', ')'], () => '')
          .replace(/#/g, 'no')
          .replace(/[^\p{L}\p{N}]/gu, ''),
      )

/** Whether a column has identifiers. */
export const isNumberRole = (role: ColumnRole | undefined): boolean =>
  role === 'partNumber' || role === 'vendorPartNumber' || role === 'gtin'

/** Roles by column; undefined for columns with an unknown heading. */
export type ColumnRoles = readonly (ColumnRole | undefined)[]

/** How the headings of a list are recognized. */
export const LISTED: KnownHeadings<ColumnRole> = {
  nameOf: roleOf,
  isFoundBy: (role) => role === 'description' || isNumberRole(role),
}

/** The roles of a header row; undefined unless most of its cells are known headings. */
export const headerRoles = (cells: readonly string[]): ColumnRoles | undefined =>
  namedCells(cells, roleOf)

const SAMPLE = 200
const MOST = 0.8
const PLENTY = 100_000

/**
 * Guesses roles without a header: numbers are quantities, the wordiest column is the description.
 */
export function guessedRoles(rows: readonly (readonly string[])[]): ColumnRoles {
  const sample = rows.slice(0, SAMPLE)
  const width = Math.max(0, ...sample.map((cells) => cells.length))
  if (width < 2) return []
  const columns = Array.from({ length: width }, (_, at) => sample.map((cells) => cells[at] ?? ''))
  const counting = columns.map(isCounting)
  const positions = columns.map((cells, at) => counting[at] === true && isSequence(cells))
  const quantity = columns.findLastIndex((_, at) => counting[at] && !positions[at])
  const description = wordiest(columns)
  return columns.map((_, at) => {
    if (at === quantity) return 'quantity'
    if (at === description) return 'description'
    return positions[at] && quantity !== -1 ? 'other' : undefined
  })
}

const WORDS = 4
const WORDIER = 1.5

/** The column whose cells have clearly the most words; -1 if none stands out. */
function wordiest(columns: readonly (readonly string[])[]): number {
  const words = columns.map((cells) => {
    const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
    const count = filled.reduce((sum, cell) => sum + cell.split(/\s+/).length, 0)
    return filled.length === 0 ? 0 : count / filled.length
  })
  const [most = 0, next = 0] = words.toSorted((a, b) => b - a)
  return most >= WORDS && most >= WORDIER * next ? words.indexOf(most) : -1
}

function isCounting(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '')
  const counts = filled.filter((cell) => (quantityIn(cell) ?? PLENTY) < PLENTY)
  return filled.length > 0 && counts.length >= MOST * filled.length
}

/** 1, 2, 3 … or 10, 20, 30 …: line numbers of a quote. */
function isSequence(cells: readonly string[]): boolean {
  const numbers = cells.map(Number)
  const step = numbers[1]! - numbers[0]!
  return (
    numbers.length > 2 &&
    step > 0 &&
    numbers.every((number, at) => at === 0 || number - numbers[at - 1]! === step)
  )
}
