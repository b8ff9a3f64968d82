import { keyedWords } from '../../text.ts'
import { folded } from './system.ts'

/**
 * Headings in German, French, Spanish, Italian and Dutch, by the English ones, as the export has
 * the user's language. Some changed with a version of the translation.
 */
const TRANSLATED: Readonly<Record<string, string>> = {
  Type: 'Typ|Tipo|Soort',
  SKU: 'Artikelnummer|UGS|COD|Codice articolo',
  'GTIN, UPC, EAN, or ISBN':
    'GTIN, UPC, EAN oder ISBN|GTIN, UPC, EAN ou ISBN|GTIN, UPC, EAN o ISBN|GTIN, UPC, EAN, o ISBN|GTIN, UPC, EAN of ISBN',
  Name: 'Nom|Nombre|Nome|Naam',
  Published: 'Veröffentlicht|Publié|Publicado|Pubblicato|Gepubliceerd',
  'Is featured?':
    'Ist hervorgehoben?|Mis en avant ?|¿Está destacado?|In primo piano?|In evidenza?|Uitgelicht?|Is uitgelicht?',
  'Visibility in catalog':
    'Sichtbarkeit im Katalog|Visibilité dans le catalogue|Visibilidad en el catálogo|Visibilità nel catalogo|Zichtbaarheid in catalogus',
  'Short description':
    'Kurzbeschreibung|Description courte|Descripción corta|Breve descrizione|Korte beschrijving',
  Description: 'Beschreibung|Descripción|Descrizione|Beschrijving',
  'Date sale price starts':
    'Datum, an dem Angebotspreis beginnt|Date de début de promo|Día en que empieza el precio rebajado',
  'Date sale price ends':
    'Datum, an dem Angebotspreis endet|Date de fin de promo|Día en que termina el precio rebajado',
  'Tax status':
    'Steuerstatus|État de la TVA|Estado del impuesto|Stato delle imposte|Belastingstatus',
  'Tax class': 'Steuerklasse|Classe de TVA|Clase de impuesto|Aliquota di imposta|Belastingklasse',
  'In stock?': 'Vorrätig?|En stock ?|¿Existencias?|Op voorraad?',
  Stock: 'Lager|Bestand|Inventario|Magazzino|Voorraad',
  'Low stock amount':
    'Geringe Lagermenge|Montant de stock faible|Cantidad de bajo inventario|Quantità di scorte basse|Lage voorraadhoeveelheid',
  'Backorders allowed?':
    'Lieferrückstande erlaubt?|Lieferrückstände erlaubt?|Rückstände erlaubt?|Autoriser les commandes de produits en rupture ?|¿Permitir reservas de productos agotados?|Abilita gli ordini arretrati?|Nabestellingen toegestaan?',
  'Sold individually?':
    'Nur einzeln verkaufen?|Vendre individuellement ?|¿Vendido individualmente?|Venduto singolarmente?|Individueel verkocht?',
  'Allow customer reviews?':
    'Kundenrezensionen erlauben?|Kundenbewertungen erlauben?|Autoriser les avis clients ?|¿Permitir valoraciones de clientes?|Abilita le recensioni dei clienti?|Klantbeoordelingen toestaan?',
  'Purchase note':
    'Hinweis zum Kauf|Note de commande|Nota de compra|Nota di acquisto|Aankoopnotitie',
  'Sale price': 'Angebotspreis|Tarif promo|Precio rebajado|Prezzo in offerta|Actieprijs',
  'Regular price': 'Regulärer Preis|Tarif régulier|Precio normal|Prezzo di listino|Reguliere prijs',
  Categories: 'Kategorien|Catégories|Categorías|Categorie|Categorieën',
  'Shipping class':
    'Versandklasse|Classe d’expédition|Clase de envío|Classe di spedizione|Verzendklasse',
  Images: 'Bilder|Imágenes|Immagine|Immagini|Afbeeldingen',
  'Download limit':
    'Downloadlimit|Limite de téléchargement|Límite de descargas|Limite di download|Downloadlimiet',
  'Download expiry days':
    'Ablauftage des Downloads|Jours d’expiration du téléchargement|Días de caducidad de la descarga|Giorni di scadenza del download|Vervaldagen download',
  Parent: 'Übergeordnetes Produkt|Superior|Principal|Genitore|Hoofd|Bovenliggend',
  'Grouped products':
    'Gruppierte Produkte|Groupes de produits|Productos agrupados|Prodotti raggruppati|Gegroepeerde producten',
  Upsells: 'Zusatzverkäufe|Produits suggérés|Ventas dirigidas|Up-sell',
  'Cross-sells': 'Cross-Sells (Querverkäufe)|Ventes croisées|Ventas cruzadas|Cross-sell',
  'Button text': 'Button-Text|Libellé du bouton|Texto del botón|Testo del pulsante|Knoptekst',
  Position: 'Posición|Posizione|Positie',
  Brands: 'Marken|Marques|Marcas|Marchi|Merken',
}

/** Unifies apostrophes and spaces, of which French has several. */
const plain = (heading: string): string => folded(heading).replace(/’/g, "'").replace(/\s/g, ' ')

const BY_HEADING = new Map(
  keyedWords('|', TRANSLATED).map(([heading, english]) => [plain(heading), english]),
)

/** Parts of attribute headings in every language, the most certain first. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/standa|default|défaut|defecto|predefin/, 'default'],
  [/glob/, 'global'],
  [/visi|sicht|zicht/, 'visible'],
  [/val|wert|waarde/, 'value(s)'],
  [/naam|nam|nom/, 'name'],
]

/** The English heading; undefined if it is unknown in these languages. */
export function englishHeading(heading: string): string | undefined {
  const text = plain(heading)
  const known = BY_HEADING.get(text)
  if (known !== undefined) return known
  // Italian and Dutch have several words for the beginning and end of a sale.
  if (/^(?:start|eind)?dat(?:a|um) /.test(text)) {
    if (/inizi|begin|start/.test(text)) return 'Date sale price starts'
    if (/fin|eind|afloop/.test(text)) return 'Date sale price ends'
  }
  const number = /\d{1,4}/.exec(text)?.[0]
  if (number === undefined || !/at+ribu|eigenschap/.test(text)) return undefined
  const part = PARTS.find(([pattern]) => pattern.test(text))?.[1]
  return part && `Attribute ${number} ${part}`
}
