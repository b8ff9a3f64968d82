/**
 * What each analyzer and normalizer of index-mappings makes of a text, token for token; `tokensOf`
 * tells how a line is read. Every Elasticsearch that the service accepts has to give these.
 */
export const EXPECTED: Record<string, Record<string, string>> = {
  'products analyzer words': {
    '': '',
    'Laser Printers': 'laser printers|printer',
    'TN-2420BK': 'tn2420bk:3|tn 2420 bk',
    'HL–L2350DW': 'hll2350dw:4|hl l 2350 dw',
    'PowerShot G7 X': 'powershot g7:2|g 7 x',
    'Bücherregal (weiß)': 'bucherregal weiss',
    'USB-C/HDMI; 4K "display"': 'usbchdmi:3|usb c hdmi 4k:2|4 k display',
    "O'Neil's glasses": 'oneil:2|o neil glasses|glasse',
    '19" x 24.5 cm': '19 x 245:2|24 5 cm',
    '电缆 кабель': '电缆 кабель',
    '- / .': '',
  },
  'products analyzer words_search': {
    'Laser Printers': 'laser printer',
    'TN-2420BK': 'tn2420bk:3|tn 2420 bk',
    'wi‑fi cables': 'wifi:2|wi fi cable',
  },
  'products analyzer whole': {
    'Laser Printers, 2-pack': 'laser printer 2 pack',
    ED707AA: 'ed707aa',
    'PowerShot G7 X (AA)': 'powershot g7 x aa',
    Größe: 'grosse',
  },
  'products analyzer inside': {
    ab: '',
    abcde: 'abc bcd cde',
    'a-1 B': 'a-1 -1  1 B',
  },
  'products normalizer folded': {
    'ÉTAGÈRE Weiß': 'etagere weiss',
    ' a-1 ': ' a-1 ',
    Straße: 'strasse',
  },
}
