import { expect, test } from 'vitest'
import { layoutOf } from '../../../src/formats/systems/layout.ts'
import { systemOf } from '../../../src/formats/systems/systems.ts'

const ENGLISH = [
  ...['ID', 'Type', 'SKU', 'Name', 'Published', 'Short description', 'Date sale price starts'],
  ...['Date sale price ends', 'In stock?', 'Stock', 'Sale price', 'Regular price', 'Categories'],
  ...['Images', 'Parent', 'Brands', 'Attribute 1 name', 'Attribute 1 value(s)'],
  ...['Attribute 1 visible', 'Attribute 1 global'],
]

const OTHERS: Record<string, string> = {
  German:
    'ID|Typ|Artikelnummer|Name|Veröffentlicht|Kurzbeschreibung|Datum, an dem Angebotspreis beginnt|Datum, an dem Angebotspreis endet|Vorrätig?|Lager|Angebotspreis|Regulärer Preis|Kategorien|Bilder|Übergeordnetes Produkt|Marken|Attribut 1 Name|Attribut 1 Wert(e)|Attribut 1 Sichtbar|Attribut 1 Global',
  French:
    'ID|Type|UGS|Nom|Publié|Description courte|Date de début de promo|Date de fin de promo|En stock\u00a0?|Stock|Tarif promo|Tarif régulier|Catégories|Images|Parent|Marques|Nom de l’attribut 1|Valeur(s) de l’attribut 1|Attribut 1 visible|Attribut 1 global',
  Spanish:
    'ID|Tipo|SKU|Nombre|Publicado|Descripción corta|Día en que empieza el precio rebajado|Día en que termina el precio rebajado|¿Existencias?|Inventario|Precio rebajado|Precio normal|Categorías|Imágenes|Superior|Marcas|Nombre del atributo 1|Valor(es) del atributo 1|Atributo visible 1|Atributo global 1',
  Italian:
    "ID|Tipo|SKU|Nome|Pubblicato|Breve descrizione|Data di inizio prezzo in offerta|Data di fine prezzo in offerta|In stock?|Magazzino|Prezzo in offerta|Prezzo di listino|Categorie|Immagini|Genitore|Marchi|Nome dell'attributo 1|Valore dell'attributo 1|Attributo 1 visibile|Attributo 1 globale",
  Dutch:
    'ID|Type|SKU|Naam|Gepubliceerd|Korte beschrijving|Datum begin actieprijs|Datum einde actieprijs|Op voorraad?|Voorraad|Actieprijs|Reguliere prijs|Categorieën|Afbeeldingen|Hoofd|Merken|Naam eigenschap 1|Waarde(n) eigenschap 1|Eigenschap 1 zichtbaar|Eigenschap 1 globaal',
}

test.each(Object.keys(OTHERS))(
  'an export of WooCommerce in %s is read like one in English',
  (one) => {
    const headings = OTHERS[one]!.split('|')
    const system = systemOf(headings)
    expect(system?.name).toBe('WooCommerce')
    expect(layoutOf(system!, headings, 'attribute').names).toEqual(ENGLISH)
  },
)
