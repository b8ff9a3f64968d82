import type { Family } from '../family.ts'
import { bearings } from './bearings.ts'
import { bolts } from './bolts.ts'
import { cables } from './cables.ts'
import { drills } from './drills.ts'
import { gloves } from './gloves.ts'
import { labelPrinters } from './label-printers.ts'
import { lamps } from './lamps.ts'
import { monitors } from './monitors.ts'
import { notebooks } from './notebooks.ts'
import { ssds } from './ssds.ts'
import { switches } from './switches.ts'
import { toners } from './toners.ts'

/**
 * In the order in which they are generated; a family that is appended does not change the others.
 */
export const families: readonly Family[] = [
  notebooks,
  monitors,
  switches,
  cables,
  ssds,
  labelPrinters,
  toners,
  drills,
  bolts,
  gloves,
  lamps,
  bearings,
]
