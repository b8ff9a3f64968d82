import { type Admission, createAdmission } from './admission.ts'

/** Serializes the work of each owner. Owners do not wait for each other. */
export const createSerialQueue = (): Admission =>
  createAdmission({ capacity: Infinity, share: 1, waiting: Infinity, what: 'changes' })
