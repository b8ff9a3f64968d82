/**
 * The tokens that each analyzer and normalizer of index-mappings makes of a text, in the notation
 * of `tokensOf`. Every Elasticsearch that the service accepts has to return them.
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
  'products analyzer words_de': {
    'Schrauben Schraube Schrauber Schraubern': 'schraub schraub schrauber schrauber',
    'Häuser Schlüssel Schluessel blaue neue': 'haus schlussel schlussel blau neu',
    'Akkus Laptops Kameras Kabellos Haus': 'akku laptop kamera kabellos haus',
    'roter elektrischer moderner Bohrer': 'rot elektrisch modern bohrer',
    'Leitern Kabeln Lampen TN-2420BK': 'leiter kabel lamp tn2420bk:3|tn 2420 bk',
    'USB-C/HDMI (weiß)': 'usbchdmi:3|usb c hdmi weiss',
  },
  'products analyzer words_de_search': {
    'Schrauben Schraube Schrauber Schraubern': 'schraub schraub schrauber schrauber',
    'USB-C/HDMI (weiß)': 'usbchdmi:3|usb c hdmi weiss',
  },
  'products analyzer whole_de': {
    'Schrauben Schraube Schrauber Schraubern': 'schraub schraub schrauber schrauber',
    'USB-C/HDMI (weiß)': 'usb c hdmi weiss',
  },
  'products analyzer words_es': {
    'Tornillos luces ratones relojes cables': 'tornillo luz raton reloj cabl',
    'negra negros puerto puertas LÁMPARAS': 'negro negro puerto puerta lampara',
    'TN-2420BK': 'tn2420bk:3|tn 2420 bk',
  },
  'products analyzer words_es_search': {
    'Tornillos luces ratones relojes cables': 'tornillo luz raton reloj cabl',
    'TN-2420BK': 'tn2420bk:3|tn 2420 bk',
  },
  'products analyzer whole_es': {
    'Tornillos luces ratones relojes cables': 'tornillo luz raton reloj cabl',
    'TN-2420BK': 'tn 2420bk',
  },
  'products analyzer words_fr': {
    'chevaux bureaux tuyaux écrans vis prix': 'cheva burea tuya ecran vis prix',
    "batteries batteur noires l'écran D’ALIMENTATION": 'batterie batteur noir ecran alimentation',
    "aujourd'hui TN-2420BK": 'aujourdhui:2|aujourd hui tn2420bk:3|tn 2420 bk',
  },
  'products analyzer words_fr_search': {
    'chevaux bureaux tuyaux écrans vis prix': 'cheva burea tuya ecran vis prix',
    "aujourd'hui TN-2420BK": 'aujourdhui:2|aujourd hui tn2420bk:3|tn 2420 bk',
  },
  'products analyzer whole_fr': {
    'chevaux bureaux tuyaux écrans vis prix': 'cheva burea tuya ecran vis prix',
    "aujourd'hui TN-2420BK": 'aujourd hui tn 2420bk',
  },
  'products analyzer words_it': {
    'viti vite dischi disco cuffie orologi': 'vit vit disc disc cuff orolog',
    "stampanti l'acqua dell’olio": 'stampant acqu oli',
    'TN-2420BK': 'tn2420bk:3|tn 2420 bk',
  },
  'products analyzer words_it_search': {
    'viti vite dischi disco cuffie orologi': 'vit vit disc disc cuff orolog',
    'TN-2420BK': 'tn2420bk:3|tn 2420 bk',
  },
  'products analyzer whole_it': {
    'viti vite dischi disco cuffie orologi': 'vit vit disc disc cuff orolog',
    'TN-2420BK': 'tn 2420bk',
  },
  'products analyzer words_nl': {
    'schroeven boormachines muizen glazen zagen': 'schroef bormachin muis glas zag',
    'handschoenen messen rode keukens bus': 'handschoen mes rod keuk bus',
    'TN-2420BK': 'tn2420bk:3|tn 2420 bk',
  },
  'products analyzer words_nl_search': {
    'schroeven boormachines muizen glazen zagen': 'schroef bormachin muis glas zag',
    'TN-2420BK': 'tn2420bk:3|tn 2420 bk',
  },
  'products analyzer whole_nl': {
    'schroeven boormachines muizen glazen zagen': 'schroef bormachin muis glas zag',
    'TN-2420BK': 'tn 2420bk',
  },
  'products analyzer inside': {
    ab: '',
    abcde: 'abc bcd cde',
    'Zag\u001fabcd': 'abc bcd',
    'a-1 B': 'a-1 -1  1 B',
  },
  'products normalizer folded': {
    'ÉTAGÈRE Weiß': 'etagere weiss',
    ' a-1 ': ' a-1 ',
    Straße: 'strasse',
  },
}
