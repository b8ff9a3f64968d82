import { fold, replaceBracketed } from '../../text.ts'

/** Headings of German files, folded as `heading` does; umlauts also as two letters. */
export const GERMAN: Readonly<Record<string, string>> = {
  artikelnummer: 'id',
  artikelnr: 'id',
  artnr: 'id',
  produktnummer: 'id',
  bezeichnung: 'name',
  artikelbezeichnung: 'name',
  produktbezeichnung: 'name',
  artikelname: 'name',
  produktname: 'name',
  kurztext: 'name',
  kurzbeschreibung: 'name',
  kurzbezeichnung: 'name',
  titel: 'name',
  beschreibung: 'description',
  artikelbeschreibung: 'description',
  produktbeschreibung: 'description',
  langtext: 'description',
  hersteller: 'manufacturer',
  herstellername: 'manufacturer',
  marke: 'manufacturer',
  herstellernummer: 'manufacturerPartNumber',
  herstellernr: 'manufacturerPartNumber',
  herstellerartikelnummer: 'manufacturerPartNumber',
  herstellerartikelnr: 'manufacturerPartNumber',
  herstellerartnr: 'manufacturerPartNumber',
  herstellerteilenummer: 'manufacturerPartNumber',
  typbezeichnung: 'manufacturerPartNumber',
  bild: 'image',
  bildurl: 'image',
  produktbild: 'image',
  bilder: 'images',
  hauptkategorie: 'segment',
  hauptgruppe: 'segment',
  obergruppe: 'segment',
  kategorie: 'category',
  warengruppe: 'category',
  produktgruppe: 'category',
  artikelgruppe: 'category',
  unterkategorie: 'subCategory',
  untergruppe: 'subCategory',
  unterwarengruppe: 'subCategory',
  listenpreis: 'msrp',
  uvp: 'msrp',
  uvppreis: 'msrp',
  uvpbrutto: 'msrp',
  uvpnetto: 'msrp',
  eancode: 'upcs',
  eannummer: 'upcs',
  ean13: 'upcs',
  gtin13: 'upcs',
  strichcode: 'upcs',
  lieferant: 'vendor.vendorName',
  lieferantenname: 'vendor.vendorName',
  anbieter: 'vendor.vendorName',
  handler: 'vendor.vendorName',
  haendler: 'vendor.vendorName',
  lieferantenartikelnummer: 'vendor.vendorPartNumber',
  lieferantenartikelnr: 'vendor.vendorPartNumber',
  lieferantennummer: 'vendor.vendorPartNumber',
  bestellnummer: 'vendor.vendorPartNumber',
  bestellnr: 'vendor.vendorPartNumber',
  preis: 'vendor.cost',
  nettopreis: 'vendor.cost',
  preisnetto: 'vendor.cost',
  einzelpreis: 'vendor.cost',
  stuckpreis: 'vendor.cost',
  stueckpreis: 'vendor.cost',
  einkaufspreis: 'vendor.cost',
  ekpreis: 'vendor.cost',
  ek: 'vendor.cost',
  eknetto: 'vendor.cost',
  nettoek: 'vendor.cost',
  handlerpreis: 'vendor.cost',
  haendlerpreis: 'vendor.cost',
  bestand: 'vendor.onHand',
  lagerbestand: 'vendor.onHand',
  verfugbaremenge: 'vendor.onHand',
  verfuegbaremenge: 'vendor.onHand',
  lagermenge: 'vendor.onHand',
  menge: 'vendor.onHand',
  stuckzahl: 'vendor.onHand',
  stueckzahl: 'vendor.onHand',
  lagernd: 'vendor.inStock',
  verfugbar: 'vendor.inStock',
  verfuegbar: 'vendor.inStock',
  verfugbarkeit: 'vendor.status',
  verfuegbarkeit: 'vendor.status',
  lieferstatus: 'vendor.status',
}

/** A heading without case, accents, spaces and punctuation. */
export const heading = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]/gu, '')

const SHORT: Readonly<Record<string, string>> = {
  nr: 'number',
  no: 'number',
  num: 'number',
  nummer: 'number',
  art: 'artikel',
  bez: 'bezeichnung',
  herst: 'hersteller',
  lief: 'lieferanten',
  lieferant: 'lieferanten',
  manuf: 'manufacturer',
  prod: 'product',
  desc: 'description',
  descr: 'description',
  cat: 'category',
  qty: 'quantity',
}

/** Words that say in what, for whom or how much: no field depends on them. */
const NOISE = new Set(
  'eur usd chf gbp euro excl incl exkl inkl ohne mit vat mwst ust en de in per pro je each pcs stk the of'.split(
    ' ',
  ),
)

/** A heading with its abbreviations written out, without units, currencies and languages. */
export function canonical(text: string): string {
  const round = replaceBracketed(text, ['(', ')'], () => ' ')
  const plain = replaceBracketed(round, ['[', ']'], () => ' ')
  const words = fold(plain).match(/[\p{L}\p{N}]+/gu) ?? []
  const kept = words.filter((word) => !NOISE.has(word))
  return spelledOut((kept.length > 0 ? kept : words).map((word) => SHORT[word] ?? word).join(''))
}

/** One spelling of "number" at the end. */
export const spelledOut = (name: string): string => name.replace(/(?:nummer|nr)$/, 'number')
