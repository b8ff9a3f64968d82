import { wordSet } from '../text.ts'
import type { Language } from './language.ts'

/** Folded words that form compounds in shops: a head names the product, a modifier its purpose. */
export interface CompoundWords {
  /** Last parts, in the singular. */
  readonly heads: ReadonlySet<string>
  /** First parts. Every head may be a first part, too. */
  readonly modifiers: ReadonlySet<string>
  /** Words that look like compounds but are not, and words that no compound begins with. */
  readonly others: ReadonlySet<string>
}

/** A starter set, compiled for Aisle. */
export const COMPOUND_WORDS: Partial<Readonly<Record<Language, CompoundWords>>> = {
  de: {
    heads: wordSet(' ', [
      'schrauber bohrer schraube mutter schlussel schraubendreher dreher hammer zange sage feile messer',
      'maschine gerat werkzeug koffer kasten kiste box tasche rucksack hulle etui halter halterung stander',
      'stativ regal schrank tisch stuhl sessel hocker bank bett lampe leuchte licht strahler birne',
      'kabel stecker steckdose schalter adapter netzteil ladegerat batterie akku drucker scanner patrone',
      'toner papier etikett tastatur maus monitor bildschirm kamera objektiv lautsprecher kopfhorer',
      'mikrofon telefon handy tablet notebook rechner computer server festplatte speicher karte stick',
      'handschuh schuh stiefel jacke hose hemd helm brille schutz maske weste tuch decke kissen matratze',
      'topf pfanne becher tasse teller glas flasche kanne kocher mixer toaster sauger reiniger besen',
      'eimer schlauch pumpe ventil rohr dichtung lager ring scheibe feder rad reifen kette seil leiter',
      'wagen anhanger rolle band folie klebeband kleber farbe lack pinsel walze bursten burste spachtel',
      'ofen herd kuhlschrank truhe heizung lufter ventilator filter sieb deckel griff knauf schloss',
      'turklingel klingel melder sensor regler motor getriebe schere schneider frase fraser schleifer',
      'hobel presse wanne becken hahn brause dusche spiegel waage uhr thermometer messgerat pruefer prufer',
      'platte brett leiste profil blech draht nagel dubel haken klammer nadel faden stift block ordner',
    ]),
    modifiers: wordSet(' ', [
      'akku schlag bohr holz metall stahl edelstahl blech beton stein glas kunststoff gummi leder textil',
      'laser tinten tinte farb foto video audio netzwerk patch strom lade hand arbeits schutz sicherheits',
      'winter sommer garten haus kuchen kuche bad buro schreib ess wohn kinder baby hunde katzen auto',
      'fahrrad motorrad reise sport wand decken decke steh tisch nacht leucht gluh energie led kugel',
      'kegel rollen sechskant kreuz innen aussen rund flach spann schnell wasser luft druck gas ol kaffee',
      'tee brot koch brat wasch trocken staub kuhl gefrier heiz werkzeug maschinen bus panzer ring maul',
      'kreis stich band ketten laub rasen hoch computer laptop notebook handy tablet drucker kamera',
      'speicher festplatten maus tastatur bildschirm monitor kopf ohr hals bein fuss stirn regen sonnen',
    ]),
    others: wordSet(' ', [
      'durchmesser durch unter uber nach hinter gegen wieder zwischen zusammen inner ausser vorder',
      'unterhalter unternehmer verkaufer',
    ]),
  },
  nl: {
    heads: wordSet(' ', [
      'machine draaier kabel lamp tas hoes lader scherm toetsenbord schroef bout moer hamer zaag boor',
      'kast tafel stoel bank bed printer cartridge papier batterij camera telefoon handschoen schoen',
      'helm bril pan pot glas fles mixer zuiger slang pomp filter houder standaard koffer doos',
    ]),
    modifiers: wordSet(' ', [
      'schroeven boor accu hout metaal staal glas laser inkt foto netwerk hand werk winter tuin keuken',
      'bad kantoor auto fiets reis sport wand koffie thee water stof was koel laptop computer telefoon',
    ]),
    others: wordSet(' ', ['onder over door tegen tussen achter samen']),
  },
}
