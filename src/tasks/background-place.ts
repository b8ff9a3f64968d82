import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import type { Leave } from '../platform/admission.ts'

/** The owner under which imports and other background writers queue for places. */
const WRITERS = 'imports'

/** Waits for the places of a batch of background writes, which give way to requests. */
export const enterBackground = ({ requests }: Pick<Services, 'requests'>): Promise<Leave> =>
  requests.enter(WRITERS, { cost: limits.batchPlaces, givesWay: true })
