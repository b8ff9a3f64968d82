import type { CatalogProduct } from './products.ts'

type Expects = (product: CatalogProduct) => boolean

/** Families of the real products, which have no category, by patterns of their titles. */
const REAL_FAMILIES: Readonly<Record<string, { is: RegExp; not?: RegExp }>> = {
  keyboard: {
    is: /\bkeyboard/i,
    not: /cover|cable|skin|kvm|adapter|extension|converter|\btray|drawer|key ?pad|rest/i,
  },
  mouse: {
    is: /\b(mouse|mice)\b/i,
    not: /\bpads?\b|rest|cable|kvm|adapter|extension|keyboard|\bmat\b|surface|converter/i,
  },
  notebook: {
    is: /\b(notebook|laptop|chromebook|netbook|ultrabook)\b/i,
    not: /\bspare|case\b|lock|bag|sleeve|cover|stand|battery|adapter|charger|dock|backpack|cooler|cart|memory|module|drive|mount|keyboard|privacy|filter|briefcase|skin|trolley|security/i,
  },
  tv: {
    is: /\b(flat )?tv\b|television/i,
    not: /mount|bracket|stand|headphone|cable|tuner|adapter|remote|antenna|splitter|box|receiver|software|dvd|amplifier|switch|hdspider|stick|cart|outlet|power/i,
  },
  'aa-battery': { is: /\bAA\b.*batter|batter.*\bAA\b|\b(LR6|HR6|FR6)\b/i, not: /charger/i },
  'hdmi-cable': {
    is: /hdmi.*\bcable\b|\bcable\b.*hdmi/i,
    not: /kvm|extender|transmitter|switch|splitter/i,
  },
  headset: { is: /headset/i, not: /adapter|cable|connector|cushion|charger|stand|case|extension/i },
  headphones: {
    is: /headphone|earphone|ear ?buds|headset/i,
    not: /adapter|cable|connector|cushion|extension|stand/i,
  },
  projector: {
    is: /projector\b/i,
    not: /lamp|mount|screen|bulb|bracket|ceiling|case|bag|lens|filter|remote|cable|manager|accessory/i,
  },
  'graphics-card': { is: /graphics card|\bGDDR/i, not: /notebook|\bPC\b|workstation|motherboard/i },
  motherboard: { is: /\bmotherboard\b/i, not: /cable|header/i },
  'surge-protector': { is: /surge protector/i },
  ups: { is: /uninterruptible power suppl/i, not: /batter(y|ies)\b|cabinet|kit\b/i },
  dock: { is: /docking station|port replicator|notebook dock/i, not: /SATA|case|lock/i },
  processor: { is: /\bprocessor\b/i, not: /cool|fan\b|notebook|\bPC\b|server/i },
  'network-card': { is: /network(ing)? (interface )?card/i, not: /UPS\b|antenna|bracket/i },
  'usb-hub': { is: /\bhub\b/i, not: /replicator|KVM|printable|dock|adapter|reader|monitor/i },
  'vga-cable': { is: /VGA\b.*cable/i, not: /KVM|adapter|switch|extender|converter|dock/i },
  'computer-monitor': {
    is: /\bmonitor\b|computer monitor/i,
    not: /mount|arm\b|stand|cable|filter|bracket|baby|protector|holder|KVM|adapter|cover|switch|cart|extender|splitter|heart|pulse|clamp|desk|riser|dock|headphone|power|sensor|card|PC\b/i,
  },
  scanner: { is: /\bscanner\b/i, not: /spare|barcode|cable|lamp|kit\b|tray|glass/i },
  router: { is: /\brouter\b/i, not: /license|antenna|rack/i },
  calculator: { is: /calculator/i, not: /case|ribbon|roll|adapter/i },
  webcam: { is: /\bwebcam\b/i },
  'usb-flash-drive': { is: /flash drive/i, not: /cover|case|keyboard/i },
  speaker: {
    is: /speaker|soundbar/i,
    not: /cable|mount|wire|phone|adapter|headset|notebook \w|extension|monitor|projector/i,
  },
  'photo-printer': { is: /photo printer/i },
  'inkjet-printer': {
    is: /inkjet printer|multifunctional inkjet|(photo|large format) printer.*inkjet/i,
  },
  'coffee-maker': { is: /coffee (maker|machine)/i, not: /part\/accessory|filter$/i },
  'ink-cartridge': { is: /ink cartridge/i, not: /tray|holder|cleaning/i },
  toner: { is: /\btoner\b/i, not: /collector|waste|filter|bottle/i },
  backpack: { is: /backpack/i },
  'power-cord': {
    is: /power (cord|cable)/i,
    not: /adapter|splitter|surge|strip|UPS|outlet|PDU|unit/i,
  },
  'fiber-cable': {
    is: /(fiber|fibre).*(cable|patch)|(cable|patch).*(fiber|fibre)/i,
    not: /adapter|converter|cleaner|panel|HDMI|tester|tool/i,
  },
  'patch-panel': { is: /patch panel/i },
  'network-switch': {
    is: /network switch|ethernet switch|(gigabit|port).*\bswitch/i,
    not: /KVM|module|adapter|cable|component|video|HDMI|VGA|DVI|USB/i,
  },
  'kvm-switch': { is: /KVM.*switch/i, not: /cable|adapter|extender|module|kit\b/i },
  'card-reader': { is: /card reader/i, not: /notebook|\bPC\b|printer/i },
  'projector-lamp': { is: /projector lamp|projection lamp|lamp.*projector/i },
  'label-tape': { is: /label(-| )?making tape|label tape|labelling tape/i },
  'optical-drive': {
    is: /optical disc drive|(DVD|CD).*(drive|writer|burner)/i,
    not: /notebook|\bPC\b|media|cable|player|enclosure/i,
  },
  'camera-lens': {
    is: /\blens\b/i,
    not: /adapter|hood|filter|cap\b|cleaning|case|projection|camera \d/i,
  },
  'photo-frame': { is: /photo frame/i },
  shaver: { is: /shaver|razor/i, not: /accessory|head|cleaning/i },
  kettle: { is: /kettle/i },
  toothbrush: { is: /toothbrush/i, not: /heads?\b/i },
  'mp3-player': { is: /MP[34](\/MP4)? ?player|MP3 video player/i, not: /case|adapter|dock|cable/i },
  'memory-card': { is: /memory card|SD card|SDHC|SDXC|CompactFlash/i, not: /reader|adapter/i },
  'mouse-pad': { is: /mouse ?pad/i },
  'screen-protector': { is: /screen protector/i },
  'cable-tie': { is: /cable tie/i },
  'laptop-lock': { is: /cable lock|(notebook|laptop).*\block\b/i },
  paper: { is: /(printing|copy|printer|photo|plain|inkjet) paper|\bpaper\b.*sheet/i },
  'access-point': { is: /access point/i },
  'sound-card': { is: /(sound|audio).*card/i, not: /cable/i },
  fuser: { is: /fuser/i },
  'wall-mount': { is: /(wall|flat panel).*mount|mount.*wall/i, not: /switch|rack|cabinet|cable/i },
  'notebook-battery': { is: /(notebook|laptop).*battery|battery.*(notebook|laptop)/i },
  binoculars: { is: /binocular/i },
  smartwatch: { is: /smart ?watch/i },
  'memory-module': { is: /memory module|DIMM/i },
  'phone-case': { is: /phone case|phone cover/i },
}

/** Whether a product is of a family. The ids of demo products begin with their family. */
function isOf(family: string): Expects {
  const real = REAL_FAMILIES[family]
  return ({ id, name }) =>
    id.startsWith(`${family}-`) || (real?.is.test(name) === true && !real.not?.test(name))
}

const OPERATORS: Readonly<Record<string, (found: string, wanted: string) => boolean>> = {
  '=': (found, wanted) => found === wanted,
  '!=': (found, wanted) => found !== wanted,
  '^=': (found, wanted) => found.startsWith(wanted),
  '*=': (found, wanted) => found.includes(wanted),
}

/**
 * A field of the product, else its facet, attribute or number of that name; empty if it has none.
 */
function fieldOf(product: CatalogProduct, name: string): string {
  if (name === 'inStock') return String(product.vendors.some(({ inStock }) => inStock))
  const { facets, attributes, filters } = product
  const own = (product as unknown as Readonly<Record<string, unknown>>)[name]
  return String(own ?? facets[name] ?? attributes?.[name] ?? filters[name] ?? '')
}

function conditionOf(text: string): Expects {
  const [, name, operator, value] = /^([^=!^*]+)(=|!=|\^=|\*=)(.+)$/.exec(text) ?? []
  if (name === undefined) throw new Error(`${text}: no condition such as Color=Blue`)
  const compare = OPERATORS[operator!]!
  return (product) => compare(fieldOf(product, name), value!)
}

function alternativeOf(text: string): Expects {
  const [family = '', ...conditions] = text.split(';').map((part) => part.trim())
  const all = [isOf(family), ...conditions.map(conditionOf)]
  return (product) => all.every((holds) => holds(product))
}

export const NOTHING = 'nothing'

/**
 * Parses what a query expects: a family and conditions on its products (`notebook; Memory=16 GB`),
 * with alternatives separated by `|`. `nothing` means that the catalog has no such product.
 */
export function expectationOf(text: string): Expects {
  if (text === NOTHING) return () => false
  const alternatives = text.split('|').map((part) => alternativeOf(part.trim()))
  return (product) => alternatives.some((holds) => holds(product))
}
