type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The fields that are not undefined. */
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<T>
