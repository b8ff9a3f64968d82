import { atOnce, type Steps } from '../../platform/steps.ts'
import { singular } from '../../products/catalog-words.ts'
import { fold, withoutEnds } from '../../text.ts'

/**
 * The starter set, one group per line. Words of a group are synonyms of each other. With `=>`, the
 * words before it also find those after it, but not the other way around.
 */
const GROUPS = `
laptop, notebook
ultrabook => notebook, laptop
chromebook => notebook, laptop
pc => computer, desktop
computer => pc, notebook, laptop, desktop, workstation
tv, television
flat screen tv => television, flat tv, lcd tv, led tv
flat screen => monitor, display
monitor, display
screen => monitor, display
hard drive, hard disk, hdd
hard drive => ssd, solid state drive
ssd, solid state drive
usb stick, usb flash drive, flash drive, thumb drive, pendrive, memory stick
earphones, earbuds, headphones
headphones, headset
head phones, headphones
cell phone, mobile phone, smartphone
phone => mobile phone, smartphone, telephone
charger => power adapter, charging
power bank, external battery
power supply, power adapter
memory card, flash card
ram, memory module
video camera, camcorder
webcam, web camera
photo camera => digital camera
printer ink, ink cartridge
toner, toner cartridge
all in one printer, multifunction printer, multifunctional
copier => multifunctional
wifi, wi-fi, wireless lan, wlan
ethernet cable, network cable, patch cable, lan cable
ethernet => network, patch
lan => network, ethernet
switch hub => network switch
ups, uninterruptible power supply
lamp => bulb, light, luminaire, tube, spot
light bulb, bulb, lamp
lightbulb => bulb, lamp
light => lamp, luminaire
fluorescent => tube
drill => drill driver
screw => bolt
screwdriver => driver
cordless screwdriver => drill driver, impact driver
gloves, glove
hand protection => glove
couch, sofa
fridge, refrigerator
hoover, vacuum cleaner
backpack, rucksack
bag => case, sleeve
gray, grey
aluminum, aluminium
color, colour
fiber, fibre
stainless => stainless steel
inox => stainless steel
galvanized, zinc plated
din 933 => hex bolt
hex bolt, hexagon bolt, hex cap screw, hex head bolt
ball bearing, deep groove ball bearing
klapprechner => notebook
rechner => computer, pc, notebook
drucker => printer
etikettendrucker => label printer
laserdrucker => laser printer
bildschirm => monitor, display
tastatur => keyboard
maus => mouse
kabel => cable
netzwerkkabel, patchkabel => patch cable, network cable
glasfaserkabel => fiber patch cable
lwl => fiber
ladegerat => charger
akku => battery, rechargeable battery
batterie => battery
festplatte => hard drive, hard disk, ssd
speicherkarte => memory card
speicher => memory
kopfhorer => headphones
lautsprecher => speaker
kamera => camera
fernseher => tv, television
tasche => bag, case
rucksack => backpack
akkuschrauber => cordless drill, drill driver, impact driver
akkubohrschrauber => drill driver
bohrmaschine => drill
bohrer => drill
schlagbohrmaschine => hammer drill
schlagschrauber => impact driver
sechskantschraube => hex bolt
schraube => bolt, screw
bolzen => bolt
mutter => nut
kugellager => ball bearing, deep groove ball bearing
kegelrollenlager => tapered roller bearing
lager => bearing
gluhbirne => bulb, lamp
gluhlampe => bulb, lamp
leuchtmittel => bulb, lamp, spot, tube
lampe => lamp, bulb
leuchtstoffrohre => tube
rohre => tube
strahler => spot
hallenstrahler => high bay
handschuh => glove
arbeitshandschuh => glove, assembly glove
schutzhandschuh => glove
winterhandschuh => winter glove
schnittschutz => cut-resistant
farbe => color
schwarz => black
weiss => white
blau => blue
rot => red
grun => green
gelb => yellow
grau => gray, grey
silber => silver
edelstahl => stainless steel
verzinkt => galvanized, zinc plated
netzwerk => network, networking, ethernet
netzteil => power supply, power adapter
tintenpatrone, druckerpatrone => ink cartridge
patrone => cartridge
buro => office
stuhl => chair
schreibtisch => desk
taschenrechner => calculator
stativ => tripod
`

/** The form in which words are compared: folded, without punctuation at the ends, singular. */
export const keyOf = (text: string): string =>
  fold(text)
    .split(' ')
    .map((word) => singular(withoutEnds(word, '.,:!?')))
    .join(' ')

/** A lookup of synonyms. */
export interface Synonyms {
  /** The synonyms for a `keyOf` of one or more words. They are not chained. */
  of(key: string): readonly string[]
  /** Single words that have synonyms. */
  readonly words: readonly string[]
  /** The most words in a phrase that has synonyms. */
  readonly longest: number
}

/** Bounds the clauses that synonyms add to a query. */
const MOST_SYNONYMS = 48

/** A synonym with its index among those of its word. */
export type InTurn<T> = T & { readonly turn: number }

/** Limits synonyms, taking turns between the words if there are too many. */
export function mostUseful<T>(found: readonly InTurn<T>[]): Omit<InTurn<T>, 'turn'>[] {
  const inTurns = found.length > MOST_SYNONYMS ? found.toSorted((a, b) => a.turn - b.turn) : found
  return inTurns.slice(0, MOST_SYNONYMS).map(({ turn: _, ...synonym }) => synonym)
}

/** Typed words, and the words that they also find. */
export type SynonymPair = readonly [from: readonly string[], to: readonly string[]]

/** Own groups come before those of `base`. The synonyms of a word are collected on lookup. */
export function* createSynonyms(pairs: readonly SynonymPair[], base?: Synonyms): Steps<Synonyms> {
  const groups = new Map<string, (readonly string[])[]>()
  let longest = base?.longest ?? 0
  for (const [from, to] of pairs) {
    for (const text of from) {
      const key = keyOf(text)
      const known = groups.get(key)
      if (known) known.push(to)
      else groups.set(key, [to])
      longest = Math.max(longest, key.split(' ').length)
    }
    yield
  }
  const words = [...groups.keys()].filter((key) => !key.includes(' '))
  return {
    of(key) {
      const own = groups.get(key)
      if (!own) return base?.of(key) ?? []
      const others = own.flat().filter((text) => keyOf(text) !== key)
      return [...new Set([...others, ...(base?.of(key) ?? [])])]
    },
    words: base ? [...words, ...base.words] : words,
    longest,
  }
}

const starterPairs = GROUPS.trim()
  .split('\n')
  .map((line): SynonymPair => {
    const [from, to] = line.split('=>').map((side) => side.split(',').map((text) => text.trim()))
    return [from!, to ?? from!]
  })

export const STARTER_SYNONYMS: Synonyms = atOnce(createSynonyms(starterPairs))
