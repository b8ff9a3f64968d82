import { fold, wordSet } from '../../text.ts'
import { type Decimal, parseNumber } from './cell-values.ts'

/** Common words about stock, folded, in English, German, French, Spanish, Italian and Dutch. */
const IN_STOCK = wordSet('|', [
  'in stock|instock|available|limited availability|limitedavailability|low stock|few left|ready to ship',
  'auf lager|ab lager|lieferbar|sofort|sofort lieferbar|sofort verfugbar|verfugbar|vorratig|lagernd|am lager',
  'en stock|disponible|en magasin|en existencias|hay existencias|in magazzino|disponibile',
  'op voorraad|in voorraad|leverbaar|direct leverbaar|uit voorraad leverbaar|beschikbaar',
])
const NOT_NOW = wordSet('|', [
  'out of stock|outofstock|sold out|soldout|unavailable|not available|discontinued|no stock',
  'ausverkauft|vergriffen|nicht lieferbar|nicht verfugbar|nicht auf lager|nicht vorratig|ausgelaufen|nicht mehr lieferbar|nicht mehr verfugbar',
  'rupture de stock|en rupture|epuise|indisponible|non disponible|plus disponible',
  'agotado|sin existencias|sin stock|no disponible',
  'esaurito|non disponibile|uitverkocht|niet op voorraad|niet leverbaar|niet beschikbaar',
])
/** Words for products that can be ordered but are not in stock. */
const ORDERABLE = wordSet('|', [
  'preorder|pre order|backorder|back order|on backorder|backordered|available for order|coming soon',
  'vorbestellbar|vorbestellung|nachbestellt|auf bestellung|bestellt|precommande|sur commande',
  'bientot disponible|preventa|bajo pedido|reserva|proximamente|preordine|su ordinazione|pre ordine',
  'in arrivo|nabestelling|op bestelling|binnenkort leverbaar',
])
/** Words for an unknown value, or for one on request, folded. */
const UNKNOWN = wordSet('|', [
  'n/a|na|n.a.|k.a.|k. a.|keine angabe|nan|null|none|unknown|unbekannt|-|--|–|—|?|#n/a|tba|tbd',
  'on request|upon request|price on request|poa|p.o.a.|call|call for price|ask for price',
  'auf anfrage|preis auf anfrage|a. a.|a.a.|sur demande|prix sur demande|a consultar|consultar',
  'bajo consulta|su richiesta|prezzo su richiesta|a richiesta|op aanvraag|prijs op aanvraag',
])
const LONGEST = 40

/** Whether a cell of a number or boolean means that the value is unknown. */
export const saysNothing = (text: string): boolean =>
  text.length <= LONGEST && UNKNOWN.has(fold(text))

const plain = (text: string): string =>
  text.length > LONGEST
    ? ''
    : fold(text)
        .replace(/^https?:\/\/schema\.org\//, '')
        .replace(/[_-]/g, ' ')
        .trim()

/** Fewer than a number, which is more than none unless it is fewer than one. */
const FEWER =
  /^(?:<|unter|weniger als|less than|fewer than|moins de|menos de|meno di|minder dan)\s?(\d{1,9})$/

/** Whether words mean that something is in stock; undefined for other words. */
export function stockWord(text: string): boolean | undefined {
  const word = plain(text)
  if (IN_STOCK.has(word)) return true
  if (NOT_NOW.has(word) || ORDERABLE.has(word)) return false
  const number = FEWER.exec(word)?.[1]
  return number === undefined ? undefined : Number(number) > 1
}

/** Whether words mean that a product can be ordered but is not in stock. */
export const isOrderable = (text: string): boolean => ORDERABLE.has(plain(text))

const BEFORE =
  /^(?:>=|[>≥~≈]|ca\.?|circa|approx\.?|aprox\.?|about|etwa|rund|env\.?|environ|ongeveer|uber|mehr als|more than|plus de|mas de|piu di|meer dan|min\.?|mind\.?|(?:nur )?noch|only)/
const BEHIND =
  /\s?(?:\+|stk\.?|stck\.?|stuck|st\.?|pcs\.?|pieces?|units?|unites?|unidades|uds\.?|pezzi|pz\.?|stuks|x|left|in stock|available|auf lager|am lager|vorratig|lagernd|lieferbar|verfugbar|en stock|disponibles?|disponibili|op voorraad|beschikbaar)$/

/**
 * Parses a count such as `>100`, `10+`, `ca. 200`, `100+ Stk` or `3 in stock`. Undefined for other
 * text.
 */
export function parseCount(text: string, decimal: Decimal): number | undefined {
  const exact = parseNumber(text, decimal)
  if (exact !== undefined || text.length > LONGEST) return exact
  const bare = fold(text).trim().replace(BEFORE, '').replace(BEHIND, '')
  return parseNumber(bare.replace(/\+$/, ''), decimal)
}

/** Whether a status is a count such as `10+`, and more than 0; a number alone may be a code. */
export function countedStock(status: string): boolean | undefined {
  if (parseNumber(status, '.') !== undefined) return undefined
  const count = parseCount(status, '.')
  return count === undefined ? undefined : count > 0
}
