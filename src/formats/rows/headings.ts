import { limits } from '../../limits.ts'
import { fold, foldedWords, replaceBracketed, wordSet } from '../../text.ts'

/** Common headings of each field besides its own name, folded by `normalizeHeading`. */
export const ENGLISH: Readonly<Record<string, string>> = {
  id: 'productid sku itemid itemnumber articleid articlenumber',
  name: 'productname itemname title',
  description: 'longdescription productdescription shortdescription',
  manufacturer: 'brand make maker mfr mfg manufacturername brandname',
  manufacturerPartNumber:
    'mpn mfp mfpn mfrpartnumber mfgpartnumber manufacturerpartno manufacturersku mfrpart mfgpart manufacturerpart partnumber',
  image: 'imageurl picture',
  unspsc: 'unspsccode',
  category: 'maincategory productcategory productgroup itemgroup',
  subCategory: 'subcategory',
  msrp: 'listprice rrp recommendedprice suggestedretailprice',
  upcs: 'upc upccode ean eans gtin gtins eangtin eanupc upcean barcode',
  groupId: 'variantof variantgroup variantgroupid itemgroupid parentsku parentproductid handle',
  'vendor.vendorName': 'vendor vendorname supplier suppliername distributor',
  'vendor.vendorPartNumber':
    'vendorpartnumber vendorpartno vendorpart vendorsku supplierpartnumber supplierpart suppliersku',
  'vendor.name': 'vendorproductname',
  'vendor.cost':
    'cost price unitprice netprice vendorprice dealerprice tradeprice sellingprice yourprice ourprice webprice onlineprice shopprice storeprice currentprice finalprice retailprice',
  'vendor.salePrice': 'saleprice specialprice offerprice promotionalprice reducedprice',
  'vendor.saleFrom':
    'salefrom salestarts datesalepricestarts salepriceeffectivedate specialpricefrom',
  'vendor.saleUntil': 'saleuntil saleends datesalepriceends specialpriceto',
  'vendor.onHand': 'onhand stock stocklevel qty quantity quantityonhand quantityavailable qtyavail',
  'vendor.inStock': 'instock available',
  'vendor.status': 'status availability',
}

/** German headings, with umlauts also written as two letters. */
export const GERMAN: Readonly<Record<string, string>> = {
  id: 'artikelnummer artikelnr artnr produktnummer',
  name: 'bezeichnung artikelbezeichnung produktbezeichnung artikelname produktname kurztext kurzbeschreibung kurzbezeichnung titel',
  description: 'beschreibung artikelbeschreibung produktbeschreibung langtext',
  manufacturer: 'hersteller herstellername marke',
  manufacturerPartNumber:
    'herstellernummer herstellernr herstellerartikelnummer herstellerartikelnr herstellerartnr herstellerteilenummer typbezeichnung',
  image: 'bild bildurl produktbild',
  images: 'bilder',
  segment: 'hauptkategorie hauptgruppe obergruppe',
  category: 'kategorie warengruppe produktgruppe artikelgruppe',
  subCategory: 'unterkategorie untergruppe unterwarengruppe',
  msrp: 'listenpreis uvp uvppreis uvpbrutto uvpnetto',
  groupId: 'variantengruppe variantevon elternartikel elternartikelnummer vaterartikelnummer',
  upcs: 'eancode eannummer ean13 gtin13 strichcode',
  'vendor.vendorName': 'lieferant lieferantenname anbieter handler haendler',
  'vendor.vendorPartNumber':
    'lieferantenartikelnummer lieferantenartikelnr lieferantennummer bestellnummer bestellnr',
  'vendor.cost':
    'regularerpreis normalpreis verkaufspreis vkpreis vk bruttopreis preisbrutto endpreis preis nettopreis preisnetto einzelpreis stuckpreis stueckpreis handlerpreis haendlerpreis',
  'vendor.salePrice': 'angebotspreis aktionspreis sonderpreis',
  'vendor.onHand':
    'bestand lagerbestand lagerstand verfugbaremenge verfuegbaremenge lagermenge menge stuckzahl stueckzahl',
  'vendor.inStock': 'lagernd verfugbar verfuegbar',
  'vendor.status': 'verfugbarkeit verfuegbarkeit lieferstatus',
}

/** French, Spanish, Italian and Dutch headings. */
export const OTHERS: Readonly<Record<string, string>> = {
  id: 'reference referencearticle referenceproduit codearticle codeproduit referencia codigo codigoarticulo codigodearticulo codigoproducto codice codicearticolo codiceprodotto artikelcode productcode',
  name: 'nom nomduproduit designation libelle intitule titre nombre nombredelproducto denominacion titulo nome nomeprodotto denominazione titolo naam artikelnaam productnaam',
  description: 'descriptif descripcion descrizione beschrijving omschrijving productomschrijving',
  manufacturer: 'marque fabricant fabricante marca produttore merk fabrikant',
  manufacturerPartNumber: 'referencefabricant referenciafabricante codiceproduttore fabrikantcode',
  image: 'imageprincipale photo imagen foto immagine afbeelding imagelink mainimage mainimageurl',
  images: 'additionalimagelink additionalimages imageurls photos imagenes immagini afbeeldingen',
  category: 'producttype categories categorie categoria',
  subCategory: 'souscategorie subcategoria sottocategoria subcategorie',
  msrp: 'prixpublic prixconseille preciorecomendado prezzolistino adviesprijs',
  upcs: 'codebarres gencod codigodebarras codiceabarre streepjescode',
  'vendor.vendorName': 'fournisseur proveedor fornitore leverancier',
  'vendor.vendorPartNumber':
    'referencefournisseur referenciaproveedor codicefornitore leverancierscode',
  'vendor.cost':
    'regularprice prix prixunitaire prixdevente precio preciounitario preciodeventa pvp prezzo prezzounitario prezzodivendita prijs verkoopprijs stuksprijs',
  'vendor.salePrice':
    'prixpromo prixpromotionnel preciooferta preciorebajado prezzoscontato prezzoofferta actieprijs',
  'vendor.onHand':
    'quantite existencias cantidad inventario giacenza magazzino quantita voorraad stockquantity',
  'vendor.inStock': 'enstock enexistencias opvoorraad isinstock',
  'vendor.status': 'disponibilite disponibilidad disponibilita beschikbaarheid',
}

/** What a product costs the shop, in these languages. */
export const PURCHASE_PRICES =
  'purchaseprice costprice buyingprice wholesaleprice costperitem costofgoods costofgoodssold einkaufspreis ekpreis ek eknetto nettoek prixdachat preciodecoste preciocoste preciodecompra preciocompra prezzodacquisto prezzoacquisto prezzodiacquisto inkoopprijs'

const PURCHASE = new Set([...PURCHASE_PRICES.split(' '), 'cost', 'dealerprice', 'tradeprice'])

/** The beginning of a heading, by which it is recognized. Known ones are much shorter. */
export const headingStart = (text: string): string => text.slice(0, 2 * limits.nameLength)

/** A heading without case, accents, spaces and punctuation. */
export const normalizeHeading = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]/gu, '')

const SHORT: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }),
)

/** Words about units, audience or amount, which do not determine the field. */
const NOISE = wordSet(' ', [
  'eur usd chf gbp euro ex inc excl incl including excluding vat gross each pcs the of',
  'exkl inkl inklusive exklusive zzgl ohne mit mwst ust brutto netto pro je stk',
  'tva hors comprise taxe taxes ttc ht iva sin con incluido incluida',
  'ivato ivata inclusa esclusa incluso escluso compresa lordo btw inclusief exclusief',
  'en de in per',
])

/** A heading with its abbreviations written out, without units, currencies and languages. */
export function canonical(text: string): string {
  const round = replaceBracketed(text.replaceAll('#', ' number '), ['(', ')'], () => ' ')
  const plain = replaceBracketed(round, ['[', ']'], () => ' ')
  const words = foldedWords(plain)
  const kept = words.filter((word) => !NOISE.has(word))
  return spelledOut(
    (kept.length > 0 ? kept : words).map((word) => SHORT.get(word) ?? word).join(''),
  )
}

/** Unifies the spelling of "number" at the end. */
export const spelledOut = (name: string): string => name.replace(/(?:nummer|nr)$/, 'number')

/** Whether a heading says what a product costs the shop, which is confidential beside a price. */
export const isPurchasePrice = (text: string): boolean =>
  PURCHASE.has(normalizeHeading(text)) || PURCHASE.has(canonical(text))
