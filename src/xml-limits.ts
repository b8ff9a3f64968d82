/** Limits of XML files that are imported: part of `limits`. */
export const xmlLimits = {
  /** Nesting of an XML file. */
  xmlDepth: 64,
  /** Attributes of an element. */
  xmlAttributes: 256,
  /** Characters of the name of an element or an attribute. */
  xmlNameLength: 1_000,
} as const
