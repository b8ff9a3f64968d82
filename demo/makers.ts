/** A fictitious manufacturer. */
export interface Maker {
  readonly name: string
  /** Pattern of its part numbers; see `fill` in numbers.ts. */
  readonly pattern: string
  /**
   * The five digits after the leading 4, which marks in-store numbers that are no product's UPC.
   */
  readonly upcPrefix: string
  /** The maker's product lines, as they appear in names. */
  readonly lines: readonly string[]
  /** Color of its pictures. */
  readonly tint: string
}

const maker = (
  name: string,
  pattern: string,
  upcPrefix: string,
  tint: string,
  lines: readonly string[] = [],
): Maker => ({ name, pattern, upcPrefix, tint, lines })

/** Fictitious makers; each may sell several families. */
export const makers = {
  corvanta: maker('Corvanta', 'CV{n4}-{code}', '10210', '#2f5d8a', ['Fathom', 'Strand', 'Galley']),
  tessaro: maker('Tessaro', '{code}/{n5}', '10347', '#7a3e65', ['Altiva', 'Quarto', 'Linea']),
  ilvenor: maker('Ilvenor', '00-{n4}-{code}', '10489', '#3c6e58', ['Basalt', 'Cairn']),
  brightwold: maker('Brightwold', 'BW.{code}.{n3}', '10533', '#a0642a', ['Vista', 'Panorel']),
  netharbor: maker('Netharbor', 'NBR-{code}-{n3}', '10671', '#2b6f86', ['Pier', 'Quay']),
  switchfell: maker('Switchfell', 'SF{code}-{n3}T', '10718', '#5a5f73', ['Ridge', 'Tarn']),
  quandrel: maker('Quandrel', 'QD-{code}/{n4}', '10845', '#8a4b3d', ['Vertex', 'Hollow']),
  cablewright: maker('Cablewright', 'CW{code}', '10962', '#44617b', ['Core', 'Studio']),
  fibrelane: maker('Fibrelane', 'FL-{code}-{n3}', '11046', '#b0763c', ['Lumen', 'Trunk']),
  stratamem: maker('Stratamem', 'SM{code}{n3}-AA', '11173', '#50508c', ['Shale', 'Granite']),
  memcairn: maker('Memcairn', '{n7}-{code}', '11298', '#2d7d6f', ['Swift', 'Vault']),
  tonewell: maker('Tonewell', 'TWL-{code}', '11320', '#6b5b3e', ['Office', 'Eco']),
  inkmarrow: maker('Inkmarrow', '{n8}', '11457', '#7d3b4f', ['Prime', 'Value']),
  printhollow: maker('Printhollow', 'PH{code}-{n4}', '11584', '#3f5f9a', ['Metro', 'Arcade']),
  labelmoor: maker('Labelmoor', 'LM-{code}-0{n3}', '11619', '#8a6d1f', ['Tag', 'Ledge']),
  drakesmoor: maker('Drakesmoor', 'DS{code}-{n3}', '11746', '#b5562b', ['Forge', 'Site']),
  brennick: maker('Brennick', '0.{n3}.{code}', '11873', '#2e6b9e', ['Pro', 'Craft']),
  hartspindle: maker('Hartspindle', 'HS {code}', '11908', '#556b2f', ['Torque', 'Run']),
  ferrovex: maker('Ferrovex', '0931 {code}', '12035', '#6f7780'),
  boltmere: maker('Boltmere', 'BM-{code}', '12162', '#4d5a66'),
  ironthistle: maker('Ironthistle', '{code}.IT', '12284', '#75604a'),
  gripmoor: maker('Gripmoor', '11-{n3}/{code}', '12319', '#b88a1e', ['Flex', 'Shield']),
  handfell: maker('Handfell', 'HF{n4}{code}', '12446', '#3b7a4b', ['Agile', 'Warden']),
  palmarrow: maker('Palmarrow', 'PA-{code}-{n3}', '12573', '#7b4ea3', ['Touch', 'Guard']),
  lumenfold: maker('Lumenfold', '9290{n5}{code}', '12608', '#c08a2e', ['Aura', 'Beam']),
  glimworth: maker('Glimworth', 'GW{code}/{n3}', '12735', '#4a7fa5', ['Everyday', 'Works']),
  spindrell: maker('Spindrell', '{code}', '12862', '#3a6a8f'),
  rotavance: maker('Rotavance', 'RV-{code}', '12989', '#a04a3a'),
} as const satisfies Record<string, Maker>
