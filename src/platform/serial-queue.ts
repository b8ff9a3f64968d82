import { type Admission, createAdmission } from './admission.ts'

/** Lets each owner do one piece of work after the other; owners do not wait for each other. */
export const createSerialQueue = (): Admission =>
  createAdmission({ capacity: Infinity, share: 1, waiting: Infinity, what: 'changes' })
