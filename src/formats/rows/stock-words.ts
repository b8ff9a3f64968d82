import { fold } from '../../text.ts'
import { type Decimal, parseNumber } from './cell-values.ts'

/** Common words about stock, folded, in English, German, French, Spanish, Italian and Dutch. */
const IN_STOCK = new Set(
  [
    'in stock|instock|available|limited availability|low stock|few left|ready to ship',
    'auf lager|ab lager|lieferbar|sofort|sofort lieferbar|sofort verfugbar|verfugbar|vorratig|lagernd|am lager',
    'en stock|disponible|en existencias|hay existencias|in magazzino|disponibile|op voorraad|leverbaar|beschikbaar',
  ].flatMap((words) => words.split('|')),
)
const NOT_NOW = new Set(
  [
    'out of stock|outofstock|sold out|unavailable|not available|discontinued|no stock',
    'ausverkauft|vergriffen|nicht lieferbar|nicht verfugbar|nicht auf lager|nicht vorratig|ausgelaufen',
    'rupture de stock|en rupture|epuise|indisponible|agotado|sin existencias|sin stock|no disponible',
    'esaurito|non disponibile|uitverkocht|niet op voorraad|niet leverbaar|niet beschikbaar',
  ].flatMap((words) => words.split('|')),
)
/** Words for products that can be ordered but are not in stock. */
const ORDERABLE = new Set(
  [
    'preorder|pre order|backorder|back order|on backorder|backordered|available for order|coming soon',
    'vorbestellbar|vorbestellung|nachbestellt|auf bestellung|bestellt|precommande|sur commande',
    'preventa|bajo pedido|reserva|preordine|su ordinazione|pre ordine|nabestelling|op bestelling',
  ].flatMap((words) => words.split('|')),
)
/** Words for an unknown value, or for one on request, folded. */
const UNKNOWN = new Set(
  [
    'n/a|na|n.a.|k.a.|k. a.|keine angabe|nan|null|none|unknown|unbekannt|-|--|–|—|?|#n/a|tba|tbd',
    'on request|upon request|price on request|poa|p.o.a.|call|call for price|ask for price',
    'auf anfrage|preis auf anfrage|a. a.|a.a.|sur demande|prix sur demande|a consultar|consultar',
    'bajo consulta|su richiesta|prezzo su richiesta|a richiesta|op aanvraag|prijs op aanvraag',
  ].flatMap((words) => words.split('|')),
)
const LONGEST = 40

/** Whether a cell of a number or boolean means that the value is unknown. */
export const saysNothing = (text: string): boolean =>
  text.length <= LONGEST && UNKNOWN.has(fold(text))

const plain = (text: string): string =>
  text.length > LONGEST ? '' : fold(text).replace(/[_-]/g, ' ').trim()

/** Whether words mean that something is in stock; undefined for other words. */
export function stockWord(text: string): boolean | undefined {
  const word = plain(text)
  if (IN_STOCK.has(word)) return true
  return NOT_NOW.has(word) || ORDERABLE.has(word) ? false : undefined
}

/** Whether words mean that a product can be ordered but is not in stock. */
export const isOrderable = (text: string): boolean => ORDERABLE.has(plain(text))

const BEFORE =
  /^(?:>=|[>≥~≈]|ca\.?|circa|approx\.?|about|etwa|rund|env\.?|uber|mehr als|more than|min\.?|mind\.?|(?:nur )?noch|only)\s*/
const BEHIND =
  /\s?(?:\+|stk\.?|stck\.?|stuck|st\.?|pcs\.?|pieces?|units?|x|left|in stock|available|auf lager|am lager|vorratig|lagernd|lieferbar|verfugbar|en stock|disponibles?|disponibili|op voorraad|beschikbaar)$/

/**
 * Parses a count such as `>100`, `10+`, `ca. 200`, `5 Stk` or `3 in stock`. Undefined for other
 * text.
 */
export function parseCount(text: string, decimal: Decimal): number | undefined {
  const exact = parseNumber(text, decimal)
  if (exact !== undefined || text.length > LONGEST) return exact
  return parseNumber(fold(text).trim().replace(BEFORE, '').replace(BEHIND, ''), decimal)
}
